/** Renders the report of a pairwise study: one file that opens from disk. */
import { openCells } from '../../core/pair-names.ts';
import { formatDuration } from '../../core/units.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
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
  ['matrix', 'Who gets what', matricesSection],
  ['quality', 'What the users saw', qualitySection],
  ['findings', "The paper's findings here", findingsSection],
  ['ranking', 'Who takes, who yields', rankingSection],
  ['sweep', 'Over the bandwidth', sweepSection],
  ['services', 'Services', servicesSection],
  ['cells', 'Pairs and their trials', cellsSection],
];

function method({ plan: { run } }: PairsReport): string {
  const rule = {
    sequential: `until both medians are known well enough or ${run.repeats} trials are had`,
    prudentia: `in batches of 10, as in the paper, at most ${run.repeats} trials`,
    fixed: `${run.repeats} ${run.repeats === 1 ? 'trial' : 'trials'} of each pair`,
  }[run.stopping];
  return `Both services start afresh, side by side; after ${formatDuration(run.warmUpMs)} or the longer warm-up of a service, ${formatDuration(run.windowMs)} are measured (the paper: 6 min after 2 min), ${rule}. A short window favours whoever fills a buffer.`;
}

export async function renderPairsReport(report: PairsReport): Promise<string> {
  const { summary, versions, createdMs } = report;
  const voided = summary.trials.filter(({ verdict }) => verdict.status === 'invalid').length;
  const counted = summary.trials.length - voided;
  const open = openCells(summary).length;
  const body = html`<style>${pairsStyle}</style><h1>${summary.title}</h1><p class="question">How does each service fare beside each other one?</p>
<p class="facts">${new Date(createdMs).toISOString().slice(0, 10)} \u00b7 Linux ${versions.kernel} \u00b7 ${versions.browser ?? 'no browser'} \u00b7 ${versions.processor}, ${versions.cores} cores \u00b7 Coexist ${versions.coexist}${versions.commit === null ? '' : ` (${versions.commit})`}</p>
<p>After Philip et al., <i>Prudentia: Findings of an Internet Fairness Watchdog</i>, SIGCOMM 2024. ${method(report)} ${counted} of ${summary.trials.length} trials count${voided === 0 ? '' : ', the others were voided'}.</p>
${open === 0 ? null : html`<p class="degraded">Not complete: of ${summary.cells.length} cells (pairs, and services alone) ${open} ${open === 1 ? 'was' : 'were'} due more trials when this was written.</p>`}
<main id="report" tabindex="-1">${sections.map(([id, title, section]) => {
    const content = section(report);
    return content === null ? null : html`<section id="${id}"><h2>${title}</h2>${content}</section>`;
  })}</main>`;
  return renderPage(summary.title, body);
}
