/**
 * The record of a trial in transit: the files of its folder concatenated and cut into pieces, each compressed
 * (Zstandard, RFC 8878). The manifest, which lists the files, each with its SHA-256, is sent with the trial's
 * completion; a record that does not match it is rejected.
 */
import { createHash } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readdirSync, readSync, rmSync, statSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';
import { CoexistError, messageOf, systemCode, writeError } from '../../core/errors.ts';
import { integer, z } from '../../core/schema/schema.ts';
import { shownValue } from '../../core/text/shown-value.ts';
import { mostRecordBytes } from '../../core/vocabulary/record-limit.ts';
import { checkedTrialName, trialFileName } from '../record/trial-name.ts';

/** More than any trial has. */
const mostFiles = 10_000;

const manifestSchema = z
  .object({
    files: z
      .array(z.object({ path: z.string(), bytes: integer({ min: 0, max: mostRecordBytes }), sha256: z.string() }))
      .max(mostFiles),
    pieces: integer({ min: 0, max: mostRecordBytes }),
  })
  .refine(({ files }) => files.reduce((sum, { bytes }) => sum + bytes, 0) <= mostRecordBytes, {
    error: `it is larger than ${mostRecordBytes / 2 ** 30} GiB`,
  });

/** `pieces`: how many there are. */
export type Manifest = z.output<typeof manifestSchema>;

/** Why a record was not taken. */
export class DamagedRecord extends Error {}

/** Of a piece before compression, bytes: little enough to hold, much enough to be quick. */
const pieceBytes = 4 << 20;
/** Of a piece after compression, bytes: one that could not be compressed is a little larger than before. */
export const mostPieceBytes = 2 * pieceBytes;

/** The fastest level: a slower one would take more of the worker's time than a smaller record saves in transit. */
const level = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };
const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** Throws `trials-failed` for a record that no planner takes: to send it would take long. */
function requireSendable(bytes: number, files: number): void {
  if (bytes <= mostRecordBytes && files <= mostFiles) return;
  const gibibytes = (count: number) => `${(count / 2 ** 30).toFixed(1)} GiB`;
  throw new CoexistError(
    'trials-failed',
    `the record of a trial is too large to send: ${gibibytes(bytes)} and ${files} files; ` +
      `the limits are ${gibibytes(mostRecordBytes)} and ${mostFiles} files`,
    { hint: 'measure a shorter window (run.window), or without captures (run.pcap) and whole logs (run.queueLog)' },
  );
}

/**
 * Sends the files of a folder piece by piece; the next one is read and compressed while one is on its way. Throws
 * `trials-failed`, before anything is sent, where the record is too large.
 */
export async function pack(folder: string, send: (k: number, bytes: Buffer) => Promise<void>): Promise<Manifest> {
  const files: Manifest['files'] = [];
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
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(path => statSync(join(folder, path)).isFile())
    .sort();
  requireSendable(
    paths.reduce((sum, path) => sum + statSync(join(folder, path)).size, 0),
    paths.length,
  );
  for (const path of paths) {
    const digest = createHash('sha256');
    let bytes = 0;
    const file = openSync(join(folder, path), 'r');
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

/** The manifest as the database has it, checked. */
function checkedManifest(manifest: unknown): Manifest {
  const { data, error } = manifestSchema.safeParse(manifest);
  if (data !== undefined) return data;
  const { path, message } = error.issues[0]!;
  throw new DamagedRecord(path.length === 0 ? message : `its file list is not valid at ${path.join('.')}: ${message}`);
}

/** The path inside the folder. Throws where a list from elsewhere leads out of it, or to a file of the planner's. */
function placeOf(folder: string, path: string): string {
  try {
    const words = path.split('/').map(checkedTrialName);
    if (!words[0]!.startsWith(trialFileName)) return join(folder, ...words);
  } catch {
    // said below
  }
  throw new DamagedRecord(`its file list has the path ${shownValue(path)}, which no record may contain`);
}

/** Makes a file and its folder. Throws where the list has put something else there, or no file can have that path. */
function openNew(place: string, path: string): number {
  try {
    mkdirSync(dirname(place), { recursive: true });
    return openSync(place, 'wx');
  } catch (error) {
    if (!['EEXIST', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG'].includes(systemCode(error) ?? ''))
      throw writeError(error, place);
    throw new DamagedRecord(`the file ${shownValue(path)} of its list cannot be created (${systemCode(error)})`);
  }
}

function writeAll(file: number, bytes: Buffer, place: string): void {
  try {
    for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
  } catch (error) {
    throw writeError(error, place);
  }
}

/**
 * Writes the files into an empty folder; the next piece is fetched and unpacked while one is written. Throws
 * `DamagedRecord` where something is missing or surplus, does not have its hash, or is too large, and `disk-full` or
 * `cannot-write` where a file cannot be written. `manifest`: as it came.
 */
export async function unpack(
  manifest: unknown,
  folder: string,
  receive: (k: number) => Promise<Buffer | undefined>,
): Promise<void> {
  const { files, pieces } = checkedManifest(manifest);
  const fetch = async (k: number) => {
    const bytes = k < pieces ? await receive(k) : undefined;
    if (bytes === undefined) throw new DamagedRecord(`piece ${k + 1} of ${pieces} is missing`);
    return decompress(bytes, { maxOutputLength: pieceBytes }).catch(error => {
      throw new DamagedRecord(`piece ${k + 1} of ${pieces} cannot be read: ${messageOf(error)}`);
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
    const place = placeOf(folder, path);
    const digest = createHash('sha256');
    const file = openNew(place, path);
    try {
      for (let left = bytes; left > 0; ) {
        if (piece.length === 0) await more();
        if (piece.length === 0) throw new DamagedRecord(`piece ${next} of ${pieces} is empty`);
        const part = piece.subarray(0, Math.min(left, piece.length));
        writeAll(file, part, place);
        digest.update(part);
        left -= part.length;
        piece = piece.subarray(part.length);
      }
    } finally {
      closeSync(file);
    }
    if (digest.digest('hex') !== sha256) {
      rmSync(place, { force: true });
      throw new DamagedRecord(`the file ${shownValue(path)} does not match its hash`);
    }
  }
  if (piece.length > 0 || next !== pieces) throw new DamagedRecord('it has more data than its file list says');
}
