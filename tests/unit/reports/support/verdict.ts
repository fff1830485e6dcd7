/** Reads the verdict of a report as a reader sees it: its sentences and its two tables. */
import { parsePage } from './run.ts';

/** Cells by the header of their row, then by the header of their column. */
type Cells = Record<string, Record<string, string>>;

export type ToldVerdict = { sentences: string[]; numbers: Cells; differences: Cells; text: string };

const words = (element: { textContent: string }) => element.textContent.replace(/\s+/g, ' ').trim();
/** Text of a cell, with a separator before a small line. */
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

/** `page`: a report, or only the section. */
export function verdictOf(page: string): ToldVerdict {
  const document = parsePage(page);
  return {
    sentences: [...document.querySelectorAll('ul.verdict li')].map(item => item.textContent),
    numbers: tableOf(document, 'numbers'),
    differences: tableOf(document, 'differences'),
    text: words(document.querySelector('#verdict') ?? document.body),
  };
}
