/** JSON lines: writing a series to a file, reading one back, and splitting a byte stream into lines. */
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { CoexistError, systemCode, writeError } from './errors.ts';

/** Appends records to a file. Nothing is held back for long; `close` fails if any write failed. */
export class JsonlWriter {
  readonly path: string;
  readonly #stream;
  #error: unknown;

  constructor(path: string) {
    this.path = path;
    this.#stream = createWriteStream(path, { flags: 'w' });
    this.#stream.on('error', error => { this.#error ??= error; });
  }

  write(record: object): void {
    if (this.#error === undefined) this.#stream.write(`${JSON.stringify(record)}\n`);
  }

  async close(): Promise<void> {
    if (this.#error === undefined) {
      this.#stream.end();
      await finished(this.#stream).catch(error => { this.#error ??= error; });
    }
    if (this.#error !== undefined) throw writeError(this.#error, this.path);
  }
}

/** The error for a line of a series that cannot be read; lines count from 1. */
export function brokenLine(path: string, number: number, cause: unknown): CoexistError {
  return new CoexistError('bad-run-folder', `${path}, line ${number} is not JSON`, {
    hint: 'the file was changed or cut; remove the trial\'s folder and run it again with --resume', cause,
  });
}

/** Reads a whole series. A file that is not there is an empty series; a broken line is an error that names it. */
export async function readJsonl<T>(path: string): Promise<T[]> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
  const records: T[] = [];
  let number = 0;
  for (const line of text.split('\n')) {
    number++;
    if (line === '') continue;
    try {
      records.push(JSON.parse(line) as T);
    } catch (error) {
      throw brokenLine(path, number, error);
    }
  }
  return records;
}

/** Feeds chunks of text in, gives whole lines out. A line longer than `maxChars` is dropped and counted. */
export class LineSplitter {
  dropped = 0;
  #rest = '';
  #skipping = false;
  readonly #onLine: (line: string) => void;
  readonly #maxChars: number;

  constructor(onLine: (line: string) => void, maxChars = 1 << 22) {
    this.#onLine = onLine;
    this.#maxChars = maxChars;
  }

  push(chunk: string): void {
    let start = 0;
    for (let end = chunk.indexOf('\n', start); end >= 0; end = chunk.indexOf('\n', start)) {
      const line = this.#rest + chunk.slice(start, end);
      this.#rest = '';
      start = end + 1;
      if (this.#skipping) this.#skipping = false;
      else if (line !== '') this.#onLine(line);
    }
    if (this.#skipping) return;
    this.#rest += chunk.slice(start);
    if (this.#rest.length > this.#maxChars) {
      this.dropped++;
      this.#rest = '';
      this.#skipping = true;
    }
  }
}
