/** Report of a pairwise study, pages of its trials, and the site of a repeated one. */
import { object } from '../../core/schema/schema.ts';
import { counted } from '../../core/text/counted.ts';
import { formatDuration } from '../../core/text/units.ts';
import { openCells } from '../../core/vocabulary/pair-names.ts';
import { html } from '../html.ts';
import { renderSections } from '../render.ts';
import type { KindReport } from '../results/kind-report.ts';
import { pageOfSections } from '../results/sections-page.ts';
import { type PairsReport, trialPageName } from './data.ts';
import { renderSite } from './site/site.ts';
import { pairsStyle } from './style.ts';
import { renderTrialPage } from './trial-page.ts';

export type PairsReports = KindReport<PairsReport> & {
  /** Name of the page in the folder of each trial. */
  trialPageName: string;
  renderTrialPage: typeof renderTrialPage;
  renderSite: typeof renderSite;
};

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

export const plugin: PairsReports = {
  id: 'pairs',
  title: 'Report of a pairwise study',
  source: 'Philip et al., SIGCOMM 2024',
  params: object({}),
  render: report => {
    const { summary, versions, createdMs } = report;
    const voided = summary.trials.filter(({ verdict }) => verdict.status === 'invalid').length;
    const count = summary.trials.length - voided;
    const open = openCells(summary).length;
    const openSaid =
      `Not complete: ${open} of ${summary.cells.length} cells (pairs, and services alone) ` +
      'still needed trials when this report was written.';
    const said = [
      html`<p>After Philip et al., <i>Prudentia: Findings of an Internet Fairness Watchdog</i>, SIGCOMM 2024. ${method(report)}
${count} of ${summary.trials.length} trials count${voided === 0 ? '' : ', the others were voided'}.</p>`,
      open === 0 ? null : html`<p class="degraded">${openSaid}</p>`,
    ];
    return renderSections(new URL('sections/', import.meta.url), report, {
      title: summary.title,
      question: 'How do the services share a link, pair by pair?',
      source: 'Philip et al.',
      versions,
      createdMs,
      said,
      style: pairsStyle,
    });
  },
  page: (page, _plan, command, figures, addressOf) => pageOfSections(page, pageSections, command, figures, addressOf),
  trialPageName,
  renderTrialPage,
  renderSite,
};

/** Ids of the sections that a results page shows. */
const pageSections = ['findings', 'matrix', 'quality', 'ranking', 'sweep', 'services'];
