/** Writes a file piece by piece, without waiting for the disk as long as the disk keeps up. */
import { createWriteStream, lstatSync, unlinkSync } from 'node:fs';
import { devNull } from 'node:os';
import { finished } from 'node:stream/promises';
import { CoexistError, writeError } from '../errors.ts';

/**
 * Maximum amount of data per file that waits for the disk, bytes: several seconds of the largest series, and little
 * enough that all series fit into memory.
 */
const defaultMostWaitingBytes = 64 * 2 ** 20;

/** Removes a file or a link. Leaves anything else, because creating the file then reports the error. */
function removeFile(path: string): void {
  try {
    const entry = lstatSync(path, { throwIfNoEntry: false });
    if (entry?.isFile() === true || entry?.isSymbolicLink() === true) unlinkSync(path);
  } catch {
    // creating the file reports the error
  }
}

/**
 * Writes a new file in place of an existing one: under sudo the existing one may be a user's link to a file of root's.
 * Data is passed on at once. `close` throws if any write failed, and `disk-slow` if the disk fell too far behind.
 */
export class FileWriter {
  readonly path: string;
  readonly #stream;
  readonly #mostWaitingBytes: number;
  #error: unknown;

  /** `isNew`: false to write into the existing file, such as the null device. */
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
    // a record with a gap is worse than none, so nothing more is written
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
