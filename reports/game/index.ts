/** Report of a game study. */
import { object } from '../../core/schema/schema.ts';
import { inSentence } from '../../core/text/in-sentence.ts';
import { formatDuration } from '../../core/text/units.ts';
import { sourceWords } from '../../core/vocabulary/source-words.ts';
import { Html, html } from '../html.ts';
import { renderSections } from '../render.ts';
import type { KindReport } from '../results/kind-report.ts';
import { pageOfSections } from '../results/sections-page.ts';
import type { GameReport } from './data.ts';

/** Styles of this report, in addition to those of every report (page/style.css). */
const style = new Html(`
details { border-bottom: 1px solid var(--line); padding: 6px 0; }
details table { margin: 8px 0; }
summary { cursor: pointer; }
th small { display: block; font-weight: normal; color: var(--soft); font-size: 12px; }
`);

function method({ summary, plan: { run, source } }: GameReport): Html {
  const all = summary.trials.length;
  const voided = summary.trials.filter(({ verdict }) => verdict.status === 'invalid').length;
  const [windowSaid, leftOutSaid, spreadSaid] = [run.windowMs, run.leaveOutMs, run.spreadMs].map(formatDuration);
  const said = sourceWords(source);
  return html`<p>${said === null ? null : `${said}. `}Payoff: ${inSentence(summary.payoff.title)}. In each trial ${windowSaid} are measured after
${leftOutSaid}; transfers begin within ${spreadSaid} of each other.
${all - voided} of ${all} trials count${voided === 0 ? '' : ', the others were voided'}.</p>`;
}

export const plugin: KindReport<GameReport> = {
  id: 'game',
  title: 'Report of a game',
  source: 'own',
  params: object({}),
  render: report => {
    const { plan, versions, createdMs, changes } = report;
    const { title, question, source } = plan;
    const head = { title, question, source, changes, versions, createdMs, style, said: [method(report)] };
    return renderSections(new URL('sections/', import.meta.url), report, head);
  },
  page: (page, _plan, command, figures, addressOf) => pageOfSections(page, pageSections, command, figures, addressOf),
};

/** Ids of the sections that a results page shows. */
const pageSections = ['answers', 'beside', 'published', 'curves', 'diagram', 'payoffs', 'costs', 'windows'];
