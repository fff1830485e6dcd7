/** JSON lines: writes series to files, reads series, and splits a stream of bytes into lines. */
import { CoexistError, systemCode } from '../errors.ts';
import { FileWriter } from './file-writer.ts';
import { openRegularHandle } from './regular-file.ts';
import { withoutMark } from './text-encoding.ts';

const chunkBytes = 1 << 20;
/**
 * Maximum length of a line that is read, bytes. The project writes no longer lines. Without a limit, a file without
 * line breaks would fill the memory.
 */
export const mostLineBytes = 1 << 26;

/**
 * Writes the records of a series to a file, one JSON object per line, without collecting them first. `close` throws if
 * any write failed.
 */
export class JsonlWriter {
  readonly #file: FileWriter;

  constructor(path: string) {
    this.#file = new FileWriter(path);
  }

  get path(): string {
    return this.#file.path;
  }

  write(record: object): void {
    this.#file.write(`${JSON.stringify(record)}\n`);
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

/** Returns the error for a line of a series that cannot be read. `number`: number of the line, from 1. */
export function brokenLine(path: string, number: number, cause?: unknown): CoexistError {
  const what = cause instanceof SyntaxError ? 'not JSON' : 'no record';
  return new CoexistError('bad-run-folder', `${path}, line ${number} is ${what}`, {
    hint: "the file was changed or cut; remove the trial's folder and run it again with --resume",
    cause,
  });
}

/**
 * Returns all records of a series, whose file may be longer than the longest string of JavaScript. A missing file is an
 * empty series. Throws an error that names the line if a line cannot be read.
 */
export async function readJsonl<T>(path: string): Promise<T[]> {
  const records: T[] = [];
  let number = 0;
  const take = (line: string) => {
    number++;
    if (line === '') return;
    let record: unknown;
    try {
      record = JSON.parse(number === 1 ? withoutMark(line) : line);
    } catch (error) {
      throw brokenLine(path, number, error);
    }
    if (typeof record !== 'object' || record === null || Array.isArray(record)) throw brokenLine(path, number);
    records.push(record as T);
  };
  let rest = '';
  try {
    const { file, sizeBytes } = await openRegularHandle(path);
    // most series are short; allocating a whole chunk would take longer than reading them
    const highWaterMark = Math.min(chunkBytes, sizeBytes + 1);
    for await (const chunk of file.createReadStream({ encoding: 'utf8', highWaterMark })) {
      const lines = (chunk as string).split('\n');
      lines[0] = rest + lines[0]!; // appended without splitting again, because a line may span many chunks
      rest = lines.pop()!;
      for (const line of lines) take(line);
      if (rest.length > mostLineBytes) throw brokenLine(path, number + 1);
    }
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
  take(rest);
  return records;
}

/**
 * Splits chunks of text into lines, or into other pieces that end with `separator`. A line longer than `maxChars` is
 * dropped and counted.
 */
export class LineSplitter {
  dropped = 0;
  #rest = '';
  #skipping = false;
  readonly #onLine: (line: string) => void;
  readonly #maxChars: number;
  readonly #separator: string;

  constructor(onLine: (line: string) => void, maxChars = 1 << 22, separator: '\n' | '\0' = '\n') {
    this.#onLine = onLine;
    this.#maxChars = maxChars;
    this.#separator = separator;
  }

  push(chunk: string): void {
    let start = 0;
    const endFrom = (at: number) => chunk.indexOf(this.#separator, at);
    for (let end = endFrom(start); end >= 0; end = endFrom(start)) {
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
