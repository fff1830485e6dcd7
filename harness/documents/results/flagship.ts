/** Generates the table of results in the README from the pages of the flagship study, without added delay and at 20 ms. */
import { numbersHead, type PublishedPage, rowsUnder, triesHead } from './page.ts';

/** Lines of the table: words, page, and the condition on the page. */
const lines = [
  { words: 'alone', page: 'bbr-flood', condition: 'Baseline' },
  { words: 'beside BBRv3', page: 'bbr-flood', condition: 'Wired attack' },
  { words: 'beside BBRv3, 2 % loss', page: 'bbr-flood', condition: 'Lossy attack' },
  { words: '2 % loss, no flood', page: 'bbr-flood', condition: 'Loss alone' },
  { words: 'alone, base round trip 20 ms', page: 'bbr-flood-20ms', condition: 'Baseline' },
  { words: 'beside BBRv3, base round trip 20 ms', page: 'bbr-flood-20ms', condition: 'Wired attack' },
];

const columns = [
  'Frame rate',
  'Bitrate',
  'Frame latency, 95th percentile',
  'Round-trip time, mean',
  'Stalls, all trials',
];

const oneLine = (cell: string) => cell.replaceAll('<br>\\[', ' \\[').replaceAll('<br>', ', ');

/** Returns the row of a table that is about a condition. */
function rowOf({ name, markdown }: PublishedPage, head: string, condition: string): Map<string, string> {
  const row = rowsUnder(markdown, head).find(cells => [...cells.values()][0]!.split('<br>')[0] === condition);
  if (row === undefined) throw new Error(`${name}.md has no row "${condition}" under "${head}"`);
  return row;
}

export function flagshipText(pages: ReadonlyMap<string, PublishedPage>): string {
  const rows = lines.map(({ words, page: name, condition }) => {
    const page = pages.get(name)!;
    const [numbers, tries] = [rowOf(page, numbersHead, condition), rowOf(page, triesHead, condition)];
    const [, windowS] = / × ([\d.]+) s$/.exec(page.trials!)!;
    return [
      words,
      `${numbers.get('n')!} × ${windowS} s, ${tries.get('valid, disturbed')!} disturbed`,
      ...columns.map(title => oneLine(numbers.get(title)!)),
    ];
  });
  const heads = ['', 'trials', ...columns];
  return [heads, heads.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`).join('\n');
}
