/** Port of the converters, and what several of them do. */
import type { CoexistError } from '../../../core/errors.ts';
import { mostRows, type TableRow } from '../table.ts';

/** Rows of a file, and what was assumed to make them. */
type Converted = { rows: TableRow[]; assumed: string[] };

type ConvertOptions = {
  /** Name of the file, for messages. */
  name: string;
  /** Length of the rows where the file has single packets or opportunities, ms. */
  everyMs: number;
  /** Makes an error about the file: "NAME WHAT". */
  refuse(what: string): CoexistError;
};

export type Converter = {
  /** Returns true if the text looks like a file of this format. */
  knows(text: string): boolean;
  convert(text: string, options: ConvertOptions): Converted;
};

/** Returns the value of a text that is JSON. */
export function parsedJson(text: string, refuse: ConvertOptions['refuse']): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw refuse('is not JSON');
  }
}

/** Calls `use` with each line that is not blank, and with its number. */
export function eachLine(text: string, use: (line: string, number: number) => void): void {
  for (const [k, line] of text.split(/\r\n|\r|\n/).entries()) if (line.trim() !== '') use(line.trim(), k + 1);
}

/** Rows of the mean rate of each `everyMs`, from bytes at times (ms). The last row, at `endMs`, is the end. */
export function binned(
  sent: readonly { atMs: number; bytes: number }[],
  endMs: number,
  { everyMs, refuse }: Pick<ConvertOptions, 'everyMs' | 'refuse'>,
): TableRow[] {
  if (endMs / everyMs > mostRows) throw refuse(`lasts ${endMs} ms, which is more than ${mostRows} times ${everyMs} ms`);
  const bins = new Float64Array(Math.max(1, Math.ceil(endMs / everyMs)));
  // a time that ends a bin belongs to it, as the last opportunity of a trace belongs to its period
  for (const { atMs, bytes } of sent) {
    const bin = Math.min(bins.length - 1, Math.max(0, Math.ceil(atMs / everyMs) - 1));
    bins[bin]! += bytes;
  }
  const rows = Array.from(bins, (bytes, k): TableRow => {
    const lastsMs = Math.min(endMs, (k + 1) * everyMs) - k * everyMs;
    return { atMs: k * everyMs, rateBps: Math.round((bytes * 8e3) / lastsMs) };
  });
  return [...rows, { atMs: endMs }];
}
