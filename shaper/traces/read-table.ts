/** Reads a table (table.ts) from the bytes of a file: CSV with a header, or JSON lines. docs/links.md has the formats. */
import { CoexistError, messageOf } from '../../core/errors.ts';
import { decodeText } from '../../core/system/text-encoding.ts';
import { meantWords } from '../../core/text/nearest.ts';
import { shownValue } from '../../core/text/shown-value.ts';
import { mostRows, type Table, type TableRow, tableOf } from './table.ts';

const hint = 'docs/links.md has the format of a table';

type Key = keyof TableRow;
type Column = { key: Key; factor: number; linear?: true };

/** Columns by their names, with the factor that leads to the unit of `TableRow`. */
const columns: Readonly<Record<string, Column>> = {
  time_s: { key: 'atMs', factor: 1e3 },
  time_ms: { key: 'atMs', factor: 1 },
  rate_mbps: { key: 'rateBps', factor: 1e6 },
  rate_kbps: { key: 'rateBps', factor: 1e3 },
  rate_bps: { key: 'rateBps', factor: 1 },
  delay_ms: { key: 'delayMs', factor: 1 },
  delay_linear_ms: { key: 'delayMs', factor: 1, linear: true },
  loss_percent: { key: 'lossRatio', factor: 0.01 },
  loss_ratio: { key: 'lossRatio', factor: 1 },
  burst_packets: { key: 'burstPackets', factor: 1 },
  outage: { key: 'outage', factor: 1 },
};
const columnNames = Object.keys(columns);

/** Returns the kind of a file by its first line that is neither blank nor a comment. */
export function kindOf(bytes: Uint8Array): 'opportunities' | 'csv' | 'json' {
  const first = /^[^\r\n]*/.exec(decodeStart(bytes).replace(/^(?:\s+|#[^\r\n]*)+/, ''))![0];
  if (first.startsWith('{')) return 'json';
  return /^[a-z_"]/i.test(first) && (first.includes(',') || Object.hasOwn(columns, first.trim()))
    ? 'csv'
    : 'opportunities';
}

/** Bytes of a file in which its kind is looked for: comments may come first. */
const startBytes = 1 << 16;

function decodeStart(bytes: Uint8Array): string {
  try {
    return decodeText(bytes.subarray(0, startBytes), 'the trace').replace(/^\ufeff/, '');
  } catch {
    return Buffer.from(bytes.subarray(0, startBytes)).toString('latin1');
  }
}

class TableReader {
  readonly #name: string;
  readonly rows: TableRow[] = [];
  readonly lines: number[] = [];
  linear: boolean | undefined;

  constructor(name: string) {
    this.#name = name;
  }

  refuse(what: string, mend = hint): CoexistError {
    return new CoexistError('bad-definition', `link.trace: ${this.#name}${what}`, { hint: mend });
  }

  column(name: string, line: number): Column {
    const column = Object.hasOwn(columns, name) ? columns[name] : undefined;
    if (column !== undefined) return column;
    throw this.refuse(
      `, line ${line}: there is no column ${shownValue(name)}${meantWords(name, columnNames)} (known: ${columnNames.join(', ')})`,
    );
  }

  /** Sets a value of a row. `value`: a number, true or false. */
  put(row: TableRow, column: Column, name: string, value: unknown, line: number): void {
    const number = typeof value === 'boolean' ? Number(value) : value;
    if (typeof number !== 'number' || !Number.isFinite(number))
      throw this.refuse(`, line ${line}: ${shownValue(value)} is no number (${name})`);
    if (column.key === 'delayMs') {
      const linear = column.linear === true;
      if (this.linear !== undefined && this.linear !== linear)
        throw this.refuse(`, line ${line}: a table has delay_ms or delay_linear_ms, not both`);
      this.linear = linear;
    }
    if (column.key === 'outage') {
      if (number !== 0 && number !== 1) throw this.refuse(`, line ${line}: outage is 0 or 1, not ${number}`);
      row.outage = number === 1;
    } else row[column.key] = number * column.factor;
  }

  add(row: TableRow, line: number): void {
    if (this.rows.length === mostRows)
      throw this.refuse(` has more than ${mostRows} rows`, 'make its rows longer, or cut it');
    this.rows.push(row);
    this.lines.push(line);
  }

  table(): Table {
    const { lines, linear = false } = this;
    return tableOf(this.rows, { name: this.#name, linear, whereOf: k => `line ${lines[k]}` });
  }
}

/** Calls `use` with each line that is neither blank nor a comment. */
function eachLine(text: string, use: (line: string, number: number) => void): void {
  let number = 0;
  for (let at = 0; at < text.length; ) {
    let end = at;
    while (end < text.length && text[end] !== '\n' && text[end] !== '\r') end++;
    number++;
    const line = text.slice(at, end).trim();
    if (line !== '' && !line.startsWith('#')) use(line, number);
    at = end + (text[end] === '\r' && text[end + 1] === '\n' ? 2 : 1);
  }
}

function readCsv(reader: TableReader, text: string): void {
  let header: { name: string; column: Column }[] | undefined;
  eachLine(text, (line, number) => {
    const cells = line.split(',').map(cell => cell.trim());
    if (header === undefined) {
      header = cells.map(name => ({ name, column: reader.column(name, number) }));
      const keys = header.map(({ column }) => column.key);
      if (new Set(keys).size < keys.length) throw reader.refuse(`, line ${number}: two columns have one meaning`);
      if (!keys.includes('atMs')) throw reader.refuse(`, line ${number}: there is no column time_s or time_ms`);
      return;
    }
    if (cells.length !== header.length)
      throw reader.refuse(`, line ${number}: ${cells.length} cells, and the header has ${header.length}`);
    const row: TableRow = { atMs: Number.NaN };
    for (const [k, { name, column }] of header.entries())
      if (cells[k] !== '')
        reader.put(row, column, name, /^[-+.\d]/.test(cells[k]!) ? Number(cells[k]) : cells[k], number);
    reader.add(row, number);
  });
}

function readJsonLines(reader: TableReader, text: string): void {
  eachLine(text, (line, number) => {
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch (error) {
      throw reader.refuse(`, line ${number} is not JSON: ${messageOf(error).slice(0, 80)}`);
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw reader.refuse(`, line ${number} is no object`);
    const row: TableRow = { atMs: Number.NaN };
    for (const [name, cell] of Object.entries(value)) reader.put(row, reader.column(name, number), name, cell, number);
    reader.add(row, number);
  });
}

/** Parses a table. `name`: the file's name, for messages. Throws `bad-definition` with line and mistake. */
export function parseTable(bytes: Uint8Array, name: string, kind: 'csv' | 'json'): Table {
  const reader = new TableReader(name);
  let text: string;
  try {
    text = decodeText(bytes, name).replace(/^\ufeff/, '');
  } catch (error) {
    throw new CoexistError('bad-definition', `link.trace: ${messageOf(error)}`, {
      hint: 'save it in UTF-8',
      cause: error,
    });
  }
  if (kind === 'csv') readCsv(reader, text);
  else readJsonLines(reader, text);
  return reader.table();
}
