/** Writing a file piece by piece, without waiting for the disk as long as it keeps up. */
import { createWriteStream, lstatSync, unlinkSync } from 'node:fs';
import { devNull } from 'node:os';
import { finished } from 'node:stream/promises';
import { CoexistError, writeError } from '../errors.ts';

/**
 * What waits for the disk at most, bytes, in each file: seconds of the largest series, and room for all of them in
 * memory.
 */
const defaultMostWaitingBytes = 64 * 2 ** 20;

/** Removes a file or a link; anything else stays, and is told when the file is to be made. */
function removeFile(path: string): void {
  try {
    const entry = lstatSync(path, { throwIfNoEntry: false });
    if (entry?.isFile() === true || entry?.isSymbolicLink() === true) unlinkSync(path);
  } catch {
    // what is wrong is told when the file is to be made
  }
}

/**
 * Writes a new file in the place of what is there: under sudo that may be a link of the user's to a file of root's.
 * Nothing is held back for long; `close` fails if any write failed. A disk that falls too far behind is a failure:
 * `disk-slow`.
 */
export class FileWriter {
  readonly path: string;
  readonly #stream;
  readonly #mostWaitingBytes: number;
  #error: unknown;

  /** `isNew`: false where it is written into what is there, as into the null device. */
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
