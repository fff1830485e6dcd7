/** The verdict of a report as a reader finds it: its sentences and its two tables. */
import { parsePage } from './run.ts';

/** Cells by the head of their row, then by that of their column. */
type Cells = Record<string, Record<string, string>>;

export type ToldVerdict = { sentences: string[]; numbers: Cells; differences: Cells; text: string };

const words = (element: { textContent: string }) => element.textContent.replace(/\s+/g, ' ').trim();
/** A small line stands below what is before it. */
const cellWords = (cell: { childNodes: Iterable<{ textContent: string }> }) =>
  [...cell.childNodes]
    .map(words)
    .filter(text => text !== '')
    .join(' ');

function tableOf(document: ReturnType<typeof parsePage>, id: string): Cells {
  const table = document.querySelector(`#${id} table`);
  if (table === null) return {};
  const titles = [...table.querySelectorAll('thead th')].slice(1).map(words);
  return Object.fromEntries(
    [...table.querySelectorAll('tbody tr')].map(row => [
      cellWords(row.querySelector('th')!),
      Object.fromEntries([...row.querySelectorAll('td')].map((cell, i) => [titles[i]!, cellWords(cell)])),
    ]),
  );
}

/** `page`: a report, or the section alone. */
export function verdictOf(page: string): ToldVerdict {
  const document = parsePage(page);
  return {
    sentences: [...document.querySelectorAll('ul.verdict li')].map(item => item.textContent),
    numbers: tableOf(document, 'numbers'),
    differences: tableOf(document, 'differences'),
    text: words(document.querySelector('#verdict') ?? document.body),
  };
}
