/** Renders the report of a pairwise study as one HTML file that opens from disk. */
import { counted } from '../../core/text/counted.ts';
import { formatDuration } from '../../core/text/units.ts';
import { openCells } from '../../core/vocabulary/pair-names.ts';
import { type Html, html } from '../html.ts';
import { renderPage } from '../page/page.ts';
import { cellsSection } from './cells.ts';
import { changesSection } from './changes.ts';
import type { PairsReport } from './data.ts';
import { findingsSection } from './findings.ts';
import { matricesSection } from './matrices.ts';
import { qualitySection } from './quality.ts';
import { rankingSection } from './ranking.ts';
import { servicesSection } from './services.ts';
import { pairsStyle } from './style.ts';
import { sweepSection } from './sweep.ts';

const sections: readonly [id: string, title: string, section: (report: PairsReport) => Html | null][] = [
  ['changes', 'Since the last cycle', changesSection],
  ['matrix', 'Shares of the link', matricesSection],
  ['quality', 'What the users saw', qualitySection],
  ['findings', "The paper's findings here", findingsSection],
  ['ranking', 'Contentiousness and sensitivity', rankingSection],
  ['sweep', 'Shares by link rate', sweepSection],
  ['services', 'Services', servicesSection],
  ['cells', 'Pairs and their trials', cellsSection],
];

function method({ plan: { run } }: PairsReport): string {
  const rule = {
    sequential: `until both intervals are narrow enough, at most ${run.repeats} trials`,
    prudentia: `in batches of 10, as in the paper, at most ${run.repeats} trials`,
    fixed: `${counted(run.repeats, 'trial')} of each pair`,
  }[run.stopping];
  const [warmUp, window] = [formatDuration(run.warmUpMs), formatDuration(run.windowMs)];
  return (
    `In each trial both services start anew and together; after ${warmUp} or the longer warm-up of a service, ${window} are ` +
    `measured (the paper: 6 min after 2 min), ${rule}. A short window favours a service that is still filling its buffer.`
  );
}

export async function renderPairsReport(report: PairsReport): Promise<string> {
  const { summary, versions, createdMs } = report;
  const voided = summary.trials.filter(({ verdict }) => verdict.status === 'invalid').length;
  const counted = summary.trials.length - voided;
  const facts = [
    new Date(createdMs).toISOString().slice(0, 10),
    `Linux ${versions.kernel}`,
    versions.browser ?? 'no browser',
    `${versions.processor}, ${versions.cores} cores`,
    `Coexist ${versions.coexist}${versions.commit === null ? '' : ` (${versions.commit})`}`,
  ];
  const open = openCells(summary).length;
  const openSaid =
    `Not complete: ${open} of ${summary.cells.length} cells (pairs, and services alone) ` +
    'still needed trials when this report was written.';
  const body = html`<style>${pairsStyle}</style><h1>${summary.title}</h1>
<p class="question">How do the services share a link, pair by pair?</p>
<p class="facts">${facts.join(' \u00b7 ')}</p>
<p>After Philip et al., <i>Prudentia: Findings of an Internet Fairness Watchdog</i>, SIGCOMM 2024. ${method(report)}
${counted} of ${summary.trials.length} trials count${voided === 0 ? '' : ', the others were voided'}.</p>
${open === 0 ? null : html`<p class="degraded">${openSaid}</p>`}
<main id="report" tabindex="-1">${sections.map(([id, title, section]) => {
    const content = section(report);
    return content === null ? null : html`<section id="${id}"><h2>${title}</h2>${content}</section>`;
  })}</main>`;
  return renderPage(summary.title, body);
}
