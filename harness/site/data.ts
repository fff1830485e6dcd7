/** The published numbers as tables with a dictionary: claims, pages, and each value of the tables of the pages. */
import type { PaperClaim } from '../definition/paper-claim.ts';
import { papers } from '../definition/papers.ts';
import { allTablesOf, type PublishedPage } from '../documents/results/page.ts';
import { type Table, tableOf } from '../exchange/table.ts';
import { count, type Field, fieldsOf, flag, text } from '../record/schema/fields.ts';
import { numberIn } from './number-in.ts';

type DataTable = { id: string; title: string; fields: Record<string, Field>; table: Table };

const claimFields = fieldsOf({
  paper: text('short name of the paper'),
  authors: text('authors of the paper'),
  place: text('section, table or figure of the paper'),
  claim: text('the claim'),
  isMain: flag('true for the main claim of the paper'),
  verdict: text('found, in-part, not-found, undecided, not-testable or not-measured'),
  measured: text('the measured values, in words'),
  substitute: text("software in place of the paper's own"),
  differs: text('what differs from the paper, or is missing'),
  pages: text('pages with the values, with spaces between'),
  link: text('address of the line on the site, from its root'),
});

const pageFields = fieldsOf({
  page: text('name of the page'),
  title: text('title of the page'),
  question: text('question of the study'),
  trials: text('trials of each condition (games: in all) and the length of their windows'),
  counted: count('trials that count'),
  disturbed: count('of these, trials that the machine disturbed; pages of games and pairs do not tell'),
  void: count('tries that do not count'),
  commit: text('commit of Coexist'),
  measured: text('day of the run, UTC'),
});

const valueFields = fieldsOf({
  page: text('name of the page'),
  section: text('heading above the table'),
  first: text('title of the first column: "Condition", "Difference"'),
  row: text('first cell of the row'),
  column: text('title of the column'),
  text: text('the cell as it stands on the page'),
  value: count('number of the cell in `unit`; null for text'),
  unit: text('unit of value, low and high'),
  low: count('lower end of the bracket; the page says whether it is an interval or a range'),
  high: count('upper end of the bracket'),
});

/** Returns the id of the line of a claim: the same as long as the claim has its place. */
export const idOfClaim = ({ paper, place }: PaperClaim): string =>
  `${paper}-${place
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')}`;

export function dataTables(claims: readonly PaperClaim[], pages: readonly PublishedPage[]): DataTable[] {
  const claimRows = claims.map(claim => ({
    paper: claim.paper,
    authors: papers[claim.paper].authors,
    place: claim.place,
    claim: claim.text,
    isMain: claim.isMain ?? false,
    verdict: claim.verdict,
    differs: claim.differs,
    link: `index.html#${idOfClaim(claim)}`,
    ...(claim.verdict === 'not-measured'
      ? {}
      : { measured: claim.measured, substitute: claim.substitute ?? null, pages: claim.pages.join(' ') }),
  }));
  const pageRows = pages.map(({ name, title, question, trials, tries, commit, measured }) => ({
    ...{ page: name, title, question, trials, commit, measured },
    ...(tries ?? {}),
  }));
  const valueRows = pages.flatMap(({ name, markdown }) =>
    allTablesOf(markdown).flatMap(({ section, rows }) =>
      rows.flatMap(cells => {
        const [row = ['', ''], ...others] = cells;
        return others.map(([column, cell]) => ({
          ...{ page: name, section, first: row[0], row: row[1], column, text: cell },
          ...numberIn(cell),
        }));
      }),
    ),
  );
  const table = (id: string, title: string, fields: Record<string, Field>, rows: readonly object[]) => ({
    ...{ id, title, fields },
    table: tableOf(rows, fields),
  });
  return [
    table('claims', 'Claims of the papers. One row: a claim', claimFields, claimRows),
    table('pages', 'Pages. One row: a page', pageFields, pageRows),
    table('values', 'Tables of the pages. One row: a cell, but for the first of a row', valueFields, valueRows),
  ];
}

/** Returns the dictionary of the tables as Markdown. */
export const dictionaryOf = (tables: readonly DataTable[]): string =>
  [
    '# Data',
    'The published numbers as Parquet files, with the same tables as CSV. Null (CSV: an empty cell) means that there is no value.',
    ...tables.flatMap(({ id, title, fields, table }) => [
      `## ${id}`,
      `${title}; ${table[0]!.values.length} rows. [Parquet](${id}.parquet), [CSV](${id}.csv)`,
      [
        '| field | unit | type | what it is |',
        '|---|---|---|---|',
        ...Object.entries(fields).map(([name, { unit, type, about }]) => `| ${name} | ${unit} | ${type} | ${about} |`),
      ].join('\n'),
    ]),
  ].join('\n\n');
