/** Writes a file piece by piece. Callers never wait for the disk; a disk that falls too far behind is an error. */
import { createWriteStream, lstatSync, unlinkSync } from 'node:fs';
import { devNull } from 'node:os';
import { finished } from 'node:stream/promises';
import { CoexistError, writeError } from '../errors.ts';

/**
 * Maximum amount of written data per file that may wait for the disk, bytes. It is several seconds of the largest
 * series, and small enough that the waiting data of all series fits into memory.
 */
const defaultMostWaitingBytes = 64 * 2 ** 20;

/** Removes a file or a link. Leaves anything else in place: creating the file then fails with an error. */
function removeFile(path: string): void {
  try {
    const entry = lstatSync(path, { throwIfNoEntry: false });
    if (entry?.isFile() === true || entry?.isSymbolicLink() === true) unlinkSync(path);
  } catch {
    // creating the file reports the error
  }
}

/**
 * Writes a new file and replaces an existing one. It does not write into the existing file, because under sudo a user
 * may have put a link to one of root's files there. Data is passed to the system at once. `close` throws if any write
 * failed, and `disk-slow` if too much data waited for the disk.
 */
export class FileWriter {
  readonly path: string;
  readonly #stream;
  readonly #mostWaitingBytes: number;
  #error: unknown;

  /** `isNew`: false to write into the existing file, for example the null device. */
  constructor(path: string, mostWaitingBytes = defaultMostWaitingBytes, isNew = path !== devNull) {
    this.path = path;
    this.#mostWaitingBytes = mostWaitingBytes;
    if (isNew) removeFile(path);
    this.#stream = createWriteStream(path, { flags: isNew ? 'wx' : 'w' });
    this.#stream.on('error', error => {
      this.#error ??= error;
    });
  }

  write(chunk: string | Buffer): void {
    if (this.#error !== undefined) return;
    this.#stream.write(chunk);
    if (this.#stream.writableLength <= this.#mostWaitingBytes) return;
    // a record with a gap is worse than none, so the writer drops all later data
    this.#error = new CoexistError(
      'disk-slow',
      `the disk is too slow for ${this.path}: ${Math.round(this.#stream.writableLength / 2 ** 20)} MiB were waiting for it`,
      {
        hint: 'write the results to a faster disk with --out',
      },
    );
    this.#stream.destroy();
  }

  async close(): Promise<void> {
    if (this.#error === undefined) {
      this.#stream.end();
      await finished(this.#stream).catch(error => {
        this.#error ??= error;
      });
    }
    if (this.#error !== undefined)
      throw this.#error instanceof CoexistError ? this.#error : writeError(this.#error, this.path);
  }
}
