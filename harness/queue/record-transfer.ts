/**
 * Transfer of a trial's record. The files of the record's folder are concatenated and cut into pieces, and each piece
 * is compressed (Zstandard, RFC 8878). A manifest lists the files with their SHA-256. The manifest is sent with the
 * result of the trial. A record that does not match its manifest is rejected.
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

/** Largest number of files of a record, which is more than any trial has. */
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

/** List of a record's files with their hashes. `pieces`: number of pieces in which the files are sent. */
export type Manifest = z.output<typeof manifestSchema>;

/** Error that gives the reason why a record was refused. */
export class DamagedRecord extends Error {}

/** Size of a piece before compression, bytes. It is a compromise between memory and the number of statements. */
const pieceBytes = 4 << 20;
/** Largest size of a piece after compression, bytes. Data that cannot be compressed grows a little. */
export const mostPieceBytes = 2 * pieceBytes;

/** Fastest level of compression. A slower level would take more of the worker's time than it saves in transit. */
const level = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };
const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** Throws `trials-failed`, before time is spent on sending, if the record is larger than planners accept. */
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
 * Sends the files of a folder in pieces. Reads and compresses the next piece while a piece is sent. Throws
 * `trials-failed` before anything is sent if the record is too large.
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
    sent.catch(() => {}); // the promise is awaited below
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

/** Returns the manifest from the database. Throws `DamagedRecord` if the manifest is not valid. */
function checkedManifest(manifest: unknown): Manifest {
  const { data, error } = manifestSchema.safeParse(manifest);
  if (data !== undefined) return data;
  const { path, message } = error.issues[0]!;
  throw new DamagedRecord(path.length === 0 ? message : `its file list is not valid at ${path.join('.')}: ${message}`);
}

/**
 * Returns the path of a listed file inside the folder. Throws if the path leads out of the folder, or if it is the path
 * of a file that the planner writes.
 */
function placeOf(folder: string, path: string): string {
  try {
    const words = path.split('/').map(checkedTrialName);
    if (!words[0]!.startsWith(trialFileName)) return join(folder, ...words);
  } catch {
    // the error is thrown below
  }
  throw new DamagedRecord(`its file list has the path ${shownValue(path)}, which no record may contain`);
}

/**
 * Creates a file and its folder. Throws if the manifest lists the same path twice, or if no file can have that path.
 */
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
 * Writes the files of a record into an empty folder. Fetches and unpacks the next piece while a piece is written.
 * `manifest`: not checked yet. Throws `DamagedRecord` if a file or piece is missing, surplus or too large, or does not
 * match its hash. Throws `disk-full` or `cannot-write` if a file cannot be written.
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
  /** Begins to fetch a piece. An error is thrown only when the piece is needed. */
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
