/** Renders the report of a game study as one HTML file that opens from disk. */
import { inSentence } from '../../core/text/in-sentence.ts';
import { formatDuration } from '../../core/text/units.ts';
import { sourceWords } from '../../core/vocabulary/source-words.ts';
import { changedNote } from '../changed.ts';
import { Html, html } from '../html.ts';
import { contents, renderPage } from '../page/page.ts';
import { answersSection } from './answers.ts';
import { besideSection } from './beside.ts';
import { curvesSection, overBuffer } from './curves.ts';
import { type GameReport, statements } from './data.ts';
import { diagramSection } from './diagram.ts';
import { certificatesSection, costsSection, pathSection } from './states.ts';
import { windowsSection } from './windows.ts';

const sections: readonly [id: string, title: string, section: (report: GameReport) => Html | null][] = [
  ['answers', 'Who would switch?', answersSection],
  ['beside', 'Harm to the applications beside the players', besideSection],
  ['published', 'What the paper says', publishedSection],
  ['curves', 'Payoffs and deviations', curvesSection],
  ['diagram', 'States and best responses', diagramSection],
  ['certificates', 'Certificates', certificatesSection],
  ['path', 'The path of the search', pathSection],
  ['costs', 'Payoffs and link use of each state', costsSection],
  ['windows', 'Is a shorter window enough?', windowsSection],
];

/** Returns the section with the paper's statements. Null if a chart over the buffer already shows them. */
function publishedSection(report: GameReport): Html | null {
  return overBuffer(report) === null ? statements(report) : null;
}

/** Styles of this report, in addition to those of every report (page/style.css). */
const style = new Html(`
details { border-bottom: 1px solid var(--line); padding: 6px 0; }
details table { margin: 8px 0; }
summary { cursor: pointer; }
th small { display: block; font-weight: normal; color: var(--soft); font-size: 12px; }
`);

export async function renderGameReport(report: GameReport): Promise<string> {
  const {
    summary,
    versions,
    createdMs,
    changes,
    plan: { run, question, source },
  } = report;
  const voided = summary.trials.filter(({ verdict }) => verdict.status === 'invalid').length;
  const shown = sections.flatMap(([id, title, section]) => {
    const content = section(report);
    return content === null ? [] : [{ id, title, content }];
  });
  const facts = [
    new Date(createdMs).toISOString().slice(0, 10),
    `Linux ${versions.kernel}`,
    `${versions.processor}, ${versions.cores} cores`,
    `Coexist ${versions.coexist}${versions.commit === null ? '' : ` (${versions.commit})`}`,
  ];
  const [windowSaid, leftOutSaid, spreadSaid] = [run.windowMs, run.leaveOutMs, run.spreadMs].map(formatDuration);
  const all = summary.trials.length;
  const said = sourceWords(source);
  const parts = shown.map(({ id, title, content }) => html`<section id="${id}"><h2>${title}</h2>${content}</section>`);
  const body = html`<style>${style}</style><header><h1>${summary.title}</h1><p class="question">${question}</p>${changedNote(changes)}
<p class="facts">${facts.join(' \u00b7 ')}</p>
<p>${said === null ? null : `${said}. `}Payoff: ${inSentence(summary.payoff.title)}. In each trial ${windowSaid} are measured after
${leftOutSaid}; transfers begin within ${spreadSaid} of each other.
${all - voided} of ${all} trials count${voided === 0 ? '' : ', the others were voided'}.</p>
${contents(shown)}</header>
<main id="report" tabindex="-1">${parts}</main>`;
  return renderPage(summary.title, body);
}
