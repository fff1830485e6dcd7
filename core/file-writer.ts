/** Writing a file piece by piece, without waiting for the disk. */
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { writeError } from './errors.ts';

/** Nothing is held back for long; `close` fails if any write failed. */
export class FileWriter {
  readonly path: string;
  readonly #stream;
  #error: unknown;

  constructor(path: string) {
    this.path = path;
    this.#stream = createWriteStream(path, { flags: 'w' });
    this.#stream.on('error', error => { this.#error ??= error; });
  }

  write(chunk: string | Buffer): void {
    if (this.#error === undefined) this.#stream.write(chunk);
  }

  async close(): Promise<void> {
    if (this.#error === undefined) {
      this.#stream.end();
      await finished(this.#stream).catch(error => { this.#error ??= error; });
    }
    if (this.#error !== undefined) throw writeError(this.#error, this.path);
  }
}
