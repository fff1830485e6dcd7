/** Reads from a page of docs/results what the index says about it. `npm run report -- RUN --page FILE` writes the pages. */

/**
 * Tries of a run: those that count, how many of these the machine disturbed, and those that were void. `disturbed` is
 * null if the page does not tell it.
 */
type Tries = { counted: number; disturbed: number | null; void: number };

export type PublishedPage = {
  /** Name of the file without ".md". */
  name: string;
  title: string;
  question: string;
  /** Trials of each condition and the length of their windows: "6 × 40 s". Null for a page without windows. */
  trials: string | null;
  tries: Tries | null;
  /** Commit of Coexist with which the page was measured, first digits. Null if the page does not name one. */
  commit: string | null;
  /** Day of the run, UTC: "2026-11-28". Null if the page does not tell it. */
  measured: string | null;
  markdown: string;
};

const cellsOf = (line: string) => line.replace(/^\| ?| \|$/g, '').split(' | ');

/** Returns the rows of a table, each by the titles of its columns. `head`: beginning of the line with the titles. */
export function rowsUnder(markdown: string, head: string): Map<string, string>[] {
  const lines = markdown.split('\n');
  const at = lines.findIndex(line => line.startsWith(head));
  if (at < 0) return [];
  const titles = cellsOf(lines[at]!);
  const rest = lines.slice(at + 2);
  const end = rest.findIndex(line => !line.startsWith('|'));
  return rest
    .slice(0, end < 0 ? undefined : end)
    .map(line => new Map(cellsOf(line).map((cell, k) => [titles[k]!, cell])));
}

/** Beginnings of the tables of a page: of what the viewer saw, and of the tries. */
export const [numbersHead, triesHead] = ['| Condition | n |', '| Tries | all | valid | valid, disturbed | void |'];

/** Table of a page: the heading above it, and its rows as pairs of the column's title and the cell. */
type PageTable = { section: string; rows: [string, string][][] };

/** Returns all tables of a page, in its order. */
export function allTablesOf(markdown: string): PageTable[] {
  const tables: PageTable[] = [];
  let section = '';
  let titles: string[] | null = null;
  for (const line of markdown.split('\n')) {
    if (line.startsWith('#')) section = line.replace(/^#+ /, '');
    if (!line.startsWith('|')) {
      titles = null;
    } else if (titles === null) {
      titles = cellsOf(line);
      tables.push({ section, rows: [] });
    } else if (!/^\| ?-/.test(line)) {
      const known = titles;
      tables.at(-1)!.rows.push(cellsOf(line).map((cell, k): [string, string] => [known[k] ?? '', cell]));
    }
  }
  return tables;
}

const total = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0);

function triesOf(markdown: string): Tries | null {
  const rows = rowsUnder(markdown, triesHead);
  if (rows.length > 0) {
    const column = (title: string) => total(rows.map(row => Number(row.get(title))));
    const disturbed = column('valid, disturbed');
    return { counted: column('valid') + disturbed, disturbed, void: column('void') };
  }
  // pages of games and pairs tell the sum only
  const [, counted, all] = /(\d+) of (\d+) trials\s+count/.exec(markdown) ?? [];
  return counted === undefined
    ? null
    : { counted: Number(counted), disturbed: null, void: Number(all) - Number(counted) };
}

function trialsOf(markdown: string): string | null {
  const [, windowS] = /\| Study \| .*?window ([\d.]+) s after/.exec(markdown) ?? [];
  if (windowS !== undefined) {
    const counts = rowsUnder(markdown, numbersHead).map(row => Number(row.get('n')));
    const [least, most] = [Math.min(...counts), Math.max(...counts)];
    return `${least === most ? least : `${least} to ${most}`} × ${windowS} s`;
  }
  const text = markdown.replace(/\s+/g, ' ');
  const [, ofPair] = /(\d+) trials of each pair/.exec(text) ?? [];
  const [, window] = /([\d.]+ (?:s|min)) are measured/.exec(text) ?? [];
  if (window === undefined) return null;
  return ofPair === undefined ? `${triesOf(markdown)!.counted} in all × ${window}` : `${ofPair} × ${window}`;
}

export function readPage(name: string, markdown: string): PublishedPage {
  const withoutHand = markdown.replace(/<!--[^]*-->/, '');
  const [, title] = /^# (.*)$/m.exec(markdown) ?? [];
  const paragraphs = withoutHand.split(/\n{2,}/).map(text => text.replace(/\s+/g, ' ').trim());
  const question = paragraphs.find(text => text !== '' && !text.startsWith('#'));
  if (title === undefined || question === undefined) throw new Error(`${name}.md has no title or no question`);
  const [, commit] = /(?:commit |Coexist \S+ \()([0-9a-f]{8})[0-9a-f]*/.exec(markdown) ?? [];
  const [, measured] = /^(?:\| Started \| )?(\d{4}-\d{2}-\d{2})(?:T| ·)/m.exec(markdown) ?? [];
  return {
    ...{ name, title, question, trials: trialsOf(markdown), tries: triesOf(markdown) },
    ...{ commit: commit ?? null, measured: measured ?? null, markdown },
  };
}
