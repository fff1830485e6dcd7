/** Generates docs/results/README.md: the claims of the papers, one line each, and the list of the pages. */
import type { ClaimVerdict, PaperClaim } from '../../definition/paper-claim.ts';
import { type PaperId, papers } from '../../definition/papers.ts';
import { blocks, wrap } from '../markdown.ts';
import { answers } from './answers.ts';
import type { PublishedPage } from './page.ts';

/** Badge of each verdict, in the order of the table of counts. */
const badges: Record<ClaimVerdict, string> = {
  found: '● found here',
  'in-part': '◐ in part',
  'not-found': '○ not found here',
  undecided: '◌ undecided',
  'not-testable': '– not testable here',
  'not-measured': '– not measured yet',
};

type Pages = ReadonlyMap<string, PublishedPage>;

const escaped = (text: string) => text.replace(/[[\]*_|<>]/g, character => `\\${character}`);
const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
const table = (heads: readonly string[], rows: readonly (readonly string[])[]) =>
  [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');

function pageOf(pages: Pages, name: string): PublishedPage {
  const page = pages.get(name);
  if (page === undefined) throw new Error(`docs/results has no page ${name}.md, which a claim or an answer names`);
  return page;
}

const linkTo = (name: string) => `[${name}](${name}.md)`;

function rowOf(claim: PaperClaim, pages: Pages): string[] {
  const text = escaped(claim.text);
  const first = [escaped(claim.place), claim.isMain === true ? `**${text}**` : text, badges[claim.verdict]];
  if (claim.verdict === 'not-measured') return [...first, '', '', escaped(claim.differs), ''];
  const { measured, substitute, differs } = claim;
  return [
    ...first,
    escaped(measured),
    claim.pages.map(name => pageOf(pages, name).trials ?? '').join('<br>'),
    escaped(substitute === undefined ? differs : `Substitute: ${substitute}. ${differs}`),
    claim.pages.map(linkTo).join('<br>'),
  ];
}

function answersText(claims: readonly PaperClaim[], pages: Pages): string {
  const notFound = claims.filter(({ isMain, verdict }) => isMain === true && verdict === 'not-found');
  const tries = [...pages.values()].flatMap(page => (page.tries === null ? [] : [page.tries]));
  const sum = (key: 'counted' | 'disturbed' | 'void') => tries.reduce((total, one) => total + one[key], 0);
  const flagship = pageOf(pages, 'bbr-flood').tries!;
  const item = (question: string, answer: string) => wrap(`- **${question}** ${answer}`, '  ');
  return [
    ...answers.map(({ question, answer, pages: of }) =>
      item(
        question,
        `${escaped(answer)} (${of.map(name => `${linkTo(name)}, ${pageOf(pages, name).trials}`).join('; ')})`,
      ),
    ),
    item(
      'Which main claim of a paper was not found here?',
      notFound
        .map(({ paper, text, place }) => `That of ${papers[paper].authors} (${place}): "${escaped(text)}"`)
        .join(' '),
    ),
    item(
      'On how many trials does this rest?',
      `On ${sum('counted')} on ${tries.length} pages; ${sum('void')} tries more were void and do not count. The machine ` +
        `disturbed ${sum('disturbed')} of those that count (pages of games and pairs do not tell), in the flagship ` +
        `study ${flagship.disturbed} of ${flagship.counted}.`,
    ),
  ].join('\n');
}

function countsText(claims: readonly PaperClaim[]): string {
  const verdicts = Object.keys(badges) as ClaimVerdict[];
  const row = (title: string, of: readonly PaperClaim[]) => [
    title,
    ...verdicts.map(verdict => String(of.filter(claim => claim.verdict === verdict).length)),
    String(of.length),
  ];
  const ids = Object.keys(papers) as PaperId[];
  return table(
    ['', ...verdicts.map(verdict => badges[verdict]), 'claims'],
    [
      ...ids.map(id =>
        row(
          papers[id].authors,
          claims.filter(({ paper }) => paper === id),
        ),
      ),
      row('**all**', claims),
    ],
  );
}

function pagesText(pages: Pages): string {
  return table(
    ['page', 'question', 'n × window', 'trials that count', 'disturbed', 'void', 'commit'],
    [...pages.values()].map(({ name, title, question, trials, tries, commit }) => [
      `[${title}](${name}.md)`,
      question,
      trials ?? '–',
      ...(tries === null ? ['–', '–', '–'] : [tries.counted, tries.disturbed, tries.void].map(String)),
      commit ?? '–',
    ]),
  );
}

/** Returns the text of the index. */
export function resultsText(claims: readonly PaperClaim[], pages: Pages): string {
  const ids = Object.keys(papers) as PaperId[];
  return `${blocks(
    '# Results',
    '<!-- npm run docs writes this page: do not edit -->',
    wrap(
      'What five papers claim, and what Coexist measured about it. Claims stand in the studies that follow the papers ' +
        '(`paperClaims`), values on the pages; a test compares the two.',
    ),
    '## In a minute',
    answersText(claims, pages),
    countsText(claims),
    wrap(
      '"Found": every comparison that amounts to the claim holds. "In part": some hold, or the direction is found and the ' +
        'size is not. "Not found here" does not refute a paper: that would take its own software, and what stands in its ' +
        'place is named as a substitute. "n": trials of each condition, of games in all; "window": what is measured of ' +
        'each. Values are medians, brackets as on the pages. Bold: the main claim of a paper.',
    ),
    ...ids.flatMap(id => [
      `## ${papers[id].authors}`,
      wrap(`*${papers[id].title}*`),
      table(
        ['where', 'claim', 'verdict', 'measured here', 'n × window', 'what differs or is missing', 'page'],
        claims.filter(({ paper }) => paper === id).map(claim => rowOf(claim, pages)),
      ),
    ]),
    '## Pages',
    wrap(
      'Each page begins with what it shows, in sentences, and ends with the command, the machine and the versions. [Reading ' +
        'results](../reading-results.md) explains the numbers. "Disturbed": counts, though the machine held something up; ' +
        'pages of games and pairs do not tell. A void try was run again.',
    ),
    pagesText(pages),
  )}\n`;
}
