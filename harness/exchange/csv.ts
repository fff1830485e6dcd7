/**
 * Comma-separated values (RFC 4180, but with line feeds alone): a header, then one line per row. An empty cell stands
 * for a missing value. An apostrophe is put before a text that a spreadsheet would take for a formula.
 */
import { cellWithoutFormula } from '../../core/text/formula.ts';
import { type Cell, rowCount, type Table } from './table.ts';

function cellText(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const text = cellWithoutFormula(cell);
  return /[",\r\n]/.test(text) || text === '' ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Number of rows in each piece of text, since a long table does not fit into one string. */
const chunkRows = 20_000;

/** Returns the text of the table in pieces. The first piece is the header. */
export function* csvChunks(table: Table): Generator<string> {
  yield `${table.map(({ name }) => cellText(name)).join(',')}\n`;
  for (let from = 0; from < rowCount(table); from += chunkRows) {
    let text = '';
    for (let row = from; row < Math.min(from + chunkRows, rowCount(table)); row++)
      text += `${table.map(({ values }) => cellText(values[row]!)).join(',')}\n`;
    yield text;
  }
}

export function csvText(table: Table): string {
  return [...csvChunks(table)].join('');
}
