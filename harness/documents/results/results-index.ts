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

type MeasuredClaim = Exclude<PaperClaim, { verdict: 'not-measured' }>;
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

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

/** Returns the trials of a page: "6 × 40 s, 14 of 24 trials disturbed". */
function basisOf({ trials, tries }: PublishedPage): string {
  const disturbed = tries?.disturbed ?? 0;
  return `${trials}${disturbed === 0 ? '' : `, ${disturbed} of ${tries!.counted} trials disturbed`}`;
}

const basesOf = (pages: Pages, names: readonly string[]) =>
  names.map(name => `${linkTo(name)}, ${basisOf(pageOf(pages, name))}`).join('; ');

/** Returns a claim that was not found, with what was measured in its place. */
function notFoundText({ paper, place, text, measured, differs, pages: of }: MeasuredClaim, pages: Pages): string {
  return `${papers[paper].authors}, ${place}: ${escaped(`${text} Here: ${measured} ${differs}`)} (${basesOf(pages, of)})`;
}

/** Returns the numbers of trials behind the claims and behind all pages. */
function countedText(claims: readonly PaperClaim[], pages: Pages): string {
  const named = new Set(claims.flatMap(claim => ('pages' in claim ? claim.pages : [])));
  const triesOf = (chosen: readonly PublishedPage[]) => chosen.flatMap(({ tries }) => tries ?? []);
  const [all, ofClaims] = [triesOf([...pages.values()]), triesOf([...named].map(name => pageOf(pages, name)))];
  const countedIn = (tries: typeof all) => sum(tries.map(({ counted }) => counted));
  const telling = all.filter(({ disturbed }) => disturbed !== null);
  return (
    `The claims below on ${countedIn(ofClaims)} on ${ofClaims.length} pages, all pages on ${countedIn(all)}; ` +
    `${sum(all.map(one => one.void))} tries more were void and do not count. The machine held something up, without ` +
    `voiding the trial, in ${sum(telling.map(({ disturbed }) => disturbed ?? 0))} of the ${countedIn(telling)} trials ` +
    'whose pages tell it ("disturbed").'
  );
}

function answersText(claims: readonly PaperClaim[], pages: Pages): string {
  const notFound = claims.flatMap(claim => (claim.isMain === true && claim.verdict === 'not-found' ? [claim] : []));
  const item = (question: string, answer: string) => wrap(`- **${question}** ${answer}`, '  ');
  return [
    ...answers.map(({ question, answer, pages: of }) => item(question, `${escaped(answer)} (${basesOf(pages, of)})`)),
    item(
      'Which main claims of the papers were not found here?',
      `${notFound.length} of ${Object.keys(papers).length}. ${notFound.map(claim => notFoundText(claim, pages)).join('. ')}. ` +
        'That does not refute a paper, which would take its own software.',
    ),
    item('On how many trials does this rest?', countedText(claims, pages)),
  ].join('\n');
}

function countsText(claims: readonly PaperClaim[]): string {
  const verdicts = Object.keys(badges) as ClaimVerdict[];
  const row = (title: string, of: readonly PaperClaim[], main = '') => [
    title,
    main,
    ...verdicts.map(verdict => String(of.filter(claim => claim.verdict === verdict).length)),
    String(of.length),
  ];
  const ids = Object.keys(papers) as PaperId[];
  return table(
    ['', 'main claim', ...verdicts.map(verdict => badges[verdict]), 'claims'],
    [
      ...ids.map(id => {
        const of = claims.filter(({ paper }) => paper === id);
        return row(papers[id].authors, of, badges[of.find(({ isMain }) => isMain === true)!.verdict]);
      }),
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
      ...(tries === null ? ['–', '–', '–'] : [tries.counted, tries.disturbed ?? '–', tries.void].map(String)),
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
      'Coexist measures what a viewer sees when a WebRTC stream shares a link with other traffic. This page lists what ' +
        'five papers claim, and what Coexist measured about it; a test compares its numbers with those of the pages. ' +
        "BBRv3 is that of the IETF's draft, not Google's. Values are medians over trials, in brackets their intervals.",
    ),
    '## In a minute',
    answersText(claims, pages),
    countsText(claims),
    wrap(
      '"Found": every comparison that amounts to the claim holds. "In part": some hold, or the direction is found and the ' +
        'size is not. "Substitute": software that stands in place of the paper\'s own. "n": trials of each condition, of ' +
        'games in all; "window": what is measured of each. The confidence of an interval stands on its page. ' +
        'Bold: the main claim of a paper.',
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
