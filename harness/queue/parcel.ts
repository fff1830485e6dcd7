/**
 * The record of a trial in transit: the files of its folder concatenated, compressed (Zstandard, RFC 8878) and cut into
 * pieces. The list of files, each with its SHA-256, is sent with the trial's completion; a record that does not match
 * it is rejected.
 */
import { createHash } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readdirSync, readSync, rmSync, statSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';
import { messageOf } from '../../core/errors.ts';
import { checkedTrialName } from '../record/trial-name.ts';

type ParcelFile = { path: string; bytes: number; sha256: string };
/** `pieces`: how many there are. */
export type Parcel = { files: ParcelFile[]; pieces: number };

/** Why a record was not taken. */
export class DamagedParcel extends Error {}

/** Of a piece before compression, bytes: little enough to hold, much enough to be quick. */
const pieceBytes = 4 << 20;

/** The fastest level: a slower one would take more of the worker's time than a smaller record saves in transit. */
const level = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };
const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** Sends the files of a folder piece by piece; the next one is read and compressed while one is on its way. */
export async function pack(directory: string, send: (k: number, bytes: Buffer) => Promise<void>): Promise<Parcel> {
  const files: ParcelFile[] = [];
  let buffer = Buffer.allocUnsafe(pieceBytes);
  let [filled, pieces] = [0, 0];
  let sent = Promise.resolve();
  const flush = async () => {
    if (filled === 0) return;
    const [piece, k, before] = [compress(buffer.subarray(0, filled), level), pieces++, sent];
    sent = (async () => {
      const bytes = await piece;
      await before;
      await send(k, bytes);
    })();
    sent.catch(() => {}); // it is waited for below
    buffer = Buffer.allocUnsafe(pieceBytes);
    filled = 0;
    await before;
  };
  const paths = readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter(path => statSync(join(directory, path)).isFile())
    .sort();
  for (const path of paths) {
    const digest = createHash('sha256');
    let bytes = 0;
    const file = openSync(join(directory, path), 'r');
    try {
      for (;;) {
        const read = readSync(file, buffer, filled, pieceBytes - filled, null);
        if (read === 0) break;
        digest.update(buffer.subarray(filled, filled + read));
        bytes += read;
        filled += read;
        if (filled === pieceBytes) await flush();
      }
    } finally {
      closeSync(file);
    }
    files.push({ path, bytes, sha256: digest.digest('hex') });
  }
  await flush();
  await sent;
  return { files, pieces };
}

/** The path inside the folder. Throws where a list from elsewhere would lead out of it. */
function placeOf(directory: string, path: string): string {
  try {
    return join(directory, ...path.split('/').map(checkedTrialName));
  } catch {
    throw new DamagedParcel(`it names a file ${JSON.stringify(path)}`);
  }
}

/**
 * Writes the files into an empty folder; the next piece is fetched and unpacked while one is written. Throws
 * `DamagedParcel` where something is missing or surplus, or does not have its hash.
 */
export async function unpack(
  { files, pieces }: Parcel,
  directory: string,
  receive: (k: number) => Promise<Buffer | undefined>,
): Promise<void> {
  const fetch = async (k: number) => {
    const bytes = k < pieces ? await receive(k) : undefined;
    if (bytes === undefined) throw new DamagedParcel(`piece ${k + 1} of ${pieces} is missing`);
    return decompress(bytes, { maxOutputLength: pieceBytes }).catch(error => {
      throw new DamagedParcel(`piece ${k + 1} of ${pieces} cannot be read: ${messageOf(error)}`);
    });
  };
  /** A piece that may turn out not to be needed: what is wrong with it counts when it is. */
  const begin = (k: number) => {
    const piece = fetch(k);
    piece.catch(() => {});
    return piece;
  };
  let piece: Buffer = Buffer.alloc(0);
  let next = 0;
  let coming = begin(0);
  const more = async () => {
    const own = coming;
    coming = begin(++next);
    piece = await own;
  };
  for (const { path, bytes, sha256 } of files) {
    const place = placeOf(directory, path);
    const digest = createHash('sha256');
    mkdirSync(dirname(place), { recursive: true });
    const file = openSync(place, 'wx');
    try {
      for (let left = bytes; left > 0; ) {
        if (piece.length === 0) await more();
        if (piece.length === 0) throw new DamagedParcel(`piece ${next} of ${pieces} is empty`);
        const part = piece.subarray(0, Math.min(left, piece.length));
        for (let written = 0; written < part.length; ) written += writeSync(file, part, written);
        digest.update(part);
        left -= part.length;
        piece = piece.subarray(part.length);
      }
    } finally {
      closeSync(file);
    }
    if (digest.digest('hex') !== sha256) {
      rmSync(place, { force: true });
      throw new DamagedParcel(`${path} does not match its hash`);
    }
  }
  if (piece.length > 0 || next !== pieces) throw new DamagedParcel('it holds more than its list says');
}
