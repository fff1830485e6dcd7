/**
 * Writes the result of a study as a Markdown page: question and method, verdict with its tables, Table 1 with published
 * and measured values, agreement of link backends, and figures. Everything is taken from the rendered report, so no
 * number is typed by hand.
 */
import type { PlanFile } from '../../harness/record/run-folder.ts';
import { changedTitle, changedWords } from '../changed.ts';
import { parseMarkup } from '../markup.ts';
import { type Figure, figuresOfPage, standingAlone } from './figures.ts';

type Parent = { querySelectorAll(selector: string): Iterable<Element> };
type Node = { textContent: string; tagName?: string };
type Element = Parent & {
  textContent: string;
  childNodes: Iterable<Node>;
  className: string;
  tagName: string;
};

const plain = (text: string) => text.replace(/\s+/g, ' ').trim();
/** Escapes characters that would end a table cell, or that have a meaning in Markdown. */
const escaped = (text: string) =>
  plain(text).replace(/[\\|<>*_`[\]]/g, character => (character === '<' ? '&lt;' : `\\${character}`));
/** Returns the text of a node, in bold if it is bold in the report. */
function marked({ textContent, tagName }: Node): string {
  const text = escaped(textContent);
  return tagName === 'B' && text !== '' ? `**${text}**` : text;
}

const cell = (element: Element) =>
  [...element.childNodes]
    .map(marked)
    .filter(text => text !== '')
    .join('<br>');

/**
 * Converts a table of the report to Markdown. The header is the last header row. Columns with published values, which
 * the report marks with a class, get "published" in the header.
 */
function tableOf(table: Element): string {
  const rows = [...table.querySelectorAll('tr')].map(row => [...row.querySelectorAll('th, td')]);
  const heads = rows.filter(row => row.every(({ tagName }) => tagName === 'TH')).at(-1) ?? [];
  const bodies = [...table.querySelectorAll('tbody tr')].map(row => [...row.querySelectorAll('th, td')]);
  const isPublished = (column: number) => bodies.some(row => row[column]?.className === 'paper');
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const titles = heads.map((head, column) => (isPublished(column) ? `${cell(head)}<br>published` : cell(head)));
  return [line(titles), line(heads.map(() => '---')), ...bodies.map(row => line(row.map(cell)))].join('\n');
}

function wrapped(text: string, columns = 120): string {
  const lines: string[] = [''];
  for (const word of text.split(' ')) {
    const last = lines.at(-1)!;
    if (last !== '' && last.length + 1 + word.length > columns) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines.join('\n');
}

function part(page: string, id: string): Element | null {
  const [, content] = new RegExp(`<section id="${id}">(.*?)</section>`, 's').exec(page) ?? [];
  if (content === undefined) return null;
  const words = standingAlone(content.replace(/<(script|style|svg|noscript)\b.*?<\/\1>/gs, ''));
  return parseMarkup(`<body>${words}</body>`).body;
}

const of = (parent: Parent | null, selector: string) => [...(parent?.querySelectorAll(selector) ?? [])];

const items = (parent: Parent | null, selector: string) =>
  of(parent, selector)
    .map(item => `- ${wrapped(escaped(item.textContent), 118).replaceAll('\n', '\n  ')}`)
    .join('\n');

/** Returns the paragraphs inside `parent`. `kind`: rest of the CSS selector after "p". */
const paragraphs = (parent: Parent | null, kind: string) =>
  of(parent, `p${kind}`).map(({ textContent }) => wrapped(escaped(textContent)));

const mark = '<!-- written by npm run report -- RUN --page FILE: do not edit -->';

/** True if a text is a page that `npm run report -- RUN --page FILE` wrote. */
export const isResultsPage = (text: string): boolean => text.includes(mark);

/**
 * Returns the addresses of the figures in a results page, relative to the page. Empty if this program did not write the
 * page.
 */
export function figuresIn(written: string): string[] {
  if (!written.includes(mark)) return [];
  return [...written.matchAll(/^!\[.*\]\(([^)]+\.svg)\)$/gm)].map(([, address]) => address!);
}

/** Returns the text of each claim, and then its comparisons. The text may be too long for a heading. */
const claimBlocks = (claims: Element): string[] => [
  ...of(claims, 'details figure').flatMap(figure => [
    ...of(figure, 'p').map(({ textContent }) => wrapped(`**${escaped(textContent)}**`)),
    ...of(figure, 'table').map(tableOf),
  ]),
  ...paragraphs(claims, '.note'),
];

/**
 * Returns the Markdown page. `page`: HTML of the report. `figures`: all figures of the report. `figureOf`: returns the
 * address of a figure, relative to the Markdown page. `command`: command that repeats the study; null if none does.
 */
export function resultsPage(
  page: string,
  plan: PlanFile['plan'],
  command: string | null,
  figures: readonly Figure[],
  figureOf: (figure: Figure) => string,
): string {
  const verdict = part(page, 'verdict');
  const claims = part(page, 'claims');
  const summary = part(page, 'table-1');
  const [tries] = of(summary, 'figure#tries');
  const table1 = of(summary, 'figure').find(figure => figure !== tries);
  const figureBlock = (figure: Element) =>
    [
      ...of(figure, 'table').map(tableOf),
      ...of(figure, 'figcaption').map(caption => wrapped(escaped(caption.textContent))),
    ].join('\n\n');
  const conditions = part(page, 'conditions');
  const links = part(page, 'base-round-trip');
  const described = of(conditions, 'dt').map((term, i): [string, string] => [
    escaped(term.textContent),
    escaped(of(conditions, 'dd')[i]?.textContent ?? ''),
  ]);
  const { shown, leftOut } = figuresOfPage(figures);
  const { repeats, windowMs, startUpMs } = plan.run;
  const window = `window ${windowMs / 1000} s after ${startUpMs / 1000} s of start-up`;
  const facts: [string, string][] = [
    ['Study', `\`${plan.study}\`, ${repeats} repeats, ${window}`],
    ...(command === null ? [] : [['Command', `\`${command.replaceAll('|', '\\|')}\``] satisfies [string, string]]),
    ...described,
  ];
  const changed = changedWords(plan.changes, text => `\`${text}\``);
  const blocks = [
    `# ${escaped(changedTitle(plan.title, plan.changes))}`,
    mark,
    wrapped(escaped(plan.question)),
    ...(changed === null ? [] : [wrapped(changed)]),
    ...(claims === null ? [] : [`## ${escaped(of(claims, 'h2')[0]!.textContent)}`, items(claims, 'ul.verdict li')]),
    '## Result',
    ...paragraphs(verdict, '#too-few-pairs'),
    items(verdict, 'ul.verdict li'),
    ...paragraphs(verdict, '.note'),
    ...of(verdict, 'figure').map(figureBlock),
    ...(table1 === undefined ? [] : ['## Table 1', figureBlock(table1)]),
    ...(tries === undefined ? [] : ['### Tries', figureBlock(tries)]),
    ...(claims === null ? [] : ['## The comparisons of each claim', ...claimBlocks(claims)]),
    ...(of(links, 'li').length === 0
      ? []
      : [
          '## Base round-trip time and link backend',
          ...paragraphs(links, '#link-agreement'),
          items(links, 'li'),
          ...paragraphs(links, '.note'),
        ]),
    ...(figures.length === 0
      ? []
      : [
          '## Figures',
          ...shown.flatMap(figure => [
            `![${escaped(figure.title)}](${figureOf(figure)})`,
            ...(figure.caption === null ? [] : [wrapped(escaped(figure.caption))]),
          ]),
          ...leftOut.map(([section, count]) => {
            const title = escaped(of(part(page, section), 'h2')[0]?.textContent ?? section);
            return `The ${count} figures of "${title}" are in the HTML report only.`;
          }),
        ]),
    '## How it was measured',
    ['| | |', '|---|---|', ...facts.map(([name, value]) => `| ${name} | ${value} |`)].join('\n'),
    ...paragraphs(conditions, '.note'),
  ];
  return `${blocks.join('\n\n')}\n`;
}

/** Exported for the pages of other kinds of study (sections-page.ts). */
export { escaped, mark, of, part, tableOf, wrapped };
