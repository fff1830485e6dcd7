/**
 * Comma-separated values (RFC 4180, with line feeds alone): a header, then a line a row; an empty cell is no value. A
 * text that a spreadsheet would take for a formula has an apostrophe in front.
 */
import { cellWithoutFormula } from '../../core/text/formula.ts';
import { type Cell, rowCount, type Table } from './table.ts';

function cellText(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const text = cellWithoutFormula(cell);
  return /[",\r\n]/.test(text) || text === '' ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Rows at a time: a table of many packets is longer than one text may be. */
const chunkRows = 20_000;

/** The lines in pieces, the header first. */
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
