/** Data of the report of a pairwise study, and texts that its sections share. */
import { counted } from '../../core/text/counted.ts';
import type { Estimate } from '../../core/vocabulary/estimate.ts';
import type { Versions } from '../../harness/record/versions.ts';
import type { Changes } from '../../harness/studies/pairs/changes.ts';
import type { PairsPlan } from '../../harness/studies/pairs/plan.ts';
import type { CellSummary, LinkSummary, PairsSummary, SideSummary } from '../../harness/studies/pairs/summary.ts';
import { formatInterval, formatMedian, quantityOf } from '../format.ts';
import { type Html, html } from '../html.ts';
import type { JudgedReport } from '../judged-report.ts';

export type PairsReport = JudgedReport & {
  plan: PairsPlan;
  versions: Versions;
  createdMs: number;
  summary: PairsSummary;
  /** Differences from the cycle before. `since`: name of that cycle, "cycle 3". Null for the first cycle. */
  changes: { since: string; changes: Changes } | null;
  /** Address of the folder that contains the trials, relative to the report: "trials/". */
  trialsHref: string;
};

/** Name of the page in the folder of each trial. The page lists the files of the trial. */
export const trialPageName = 'index.html';

export function trialHref({ trialsHref }: Pick<PairsReport, 'trialsHref'>, name: string): string {
  return `${trialsHref}${name}/${trialPageName}`;
}

export function titleOf({ summary }: Pick<PairsReport, 'summary'>, name: string): string {
  return summary.contestants.find(contestant => contestant.name === name)?.title ?? name;
}

/**
 * Returns the content of a table cell: a number with its interval, or with the number of trials if there is no
 * interval.
 */
export function estimateHtml(estimate: Estimate, unit: string): Html {
  if (estimate.value === null) return html`\u2013`;
  return html`${formatMedian(estimate, unit)}<small>${formatInterval(estimate, unit) || `n = ${estimate.n}`}</small>`;
}

export function sideHtml(report: PairsReport, side: SideSummary, quantity: string): Html {
  return estimateHtml(side.values[quantity]!, quantityOf(report.summary.quantities, quantity).unit);
}

/** Returns the cells of a link that have two services. */
export function pairsOn({ summary }: Pick<PairsReport, 'summary'>, link: string): CellSummary[] {
  return summary.cells.filter(cell => cell.link === link && cell.sides.length === 2);
}

/**
 * True if every service was measured beside every other service and beside itself on the link. Otherwise no statement
 * about all pairs is possible.
 */
export function isWhole(report: Pick<PairsReport, 'summary'>, link: string): boolean {
  const { length } = report.summary.contestants;
  return pairsOn(report, link).length === (length * (length + 1)) / 2;
}

export type Meeting = { cell: CellSummary; incumbent: SideSummary; contender: SideSummary };

/**
 * Returns the cell of an incumbent and a contender, with the side of each. If a service runs beside itself, the side
 * with the lower share is the incumbent. Undefined if the pair was not measured.
 */
export function meetingOf(
  report: Pick<PairsReport, 'summary'>,
  link: string,
  incumbent: string,
  contender: string,
): Meeting | undefined {
  const cell = pairsOn(report, link).find(
    ({ sides: [first, second] }) =>
      (first!.contestant === incumbent && second!.contestant === contender) ||
      (first!.contestant === contender && second!.contestant === incumbent),
  );
  if (cell === undefined) return undefined;
  const [first, second] = cell.sides as [SideSummary, SideSummary];
  const isFirst =
    incumbent === contender
      ? (first.values['share']!.value ?? 0) <= (second.values['share']!.value ?? 0)
      : first.contestant === incumbent;
  return { cell, incumbent: isFirst ? first : second, contender: isFirst ? second : first };
}

/**
 * Describes the numbers of trials of the pairs on a link: "7 trials of each pair" or "n = 1 to 12 trials of a pair".
 */
export function trialsSaid(report: Pick<PairsReport, 'summary'>, link: string): string {
  const counts = pairsOn(report, link).map(({ trials }) => trials.length);
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  return counts.length === 0
    ? 'no pair'
    : least === most
      ? `${counted(least, 'trial')} of each pair`
      : `n = ${least} to ${most} trials of a pair`;
}

const fewSaid =
  'So few trials give no 95 % interval: the numbers show what happened here, once or a few times, ' +
  'and prove no difference.';
const sequentialSaid =
  'Brackets: 95 % interval of the median, valid at any stopping time ' +
  '(order statistics, with ranks corrected for a look after every trial); the first is possible after about seven trials.';
const fixedSaid =
  'Brackets: 95 % interval of the median by order statistics, not corrected for repeated looks; ' +
  'it needs six trials.';

/** Explains the brackets of a report. The text depends on the numbers of trials and on the stopping rule. */
export function intervalSaid(report: PairsReport): string {
  const most = Math.max(0, ...report.summary.cells.map(({ trials }) => trials.length));
  if (most < 6) return fewSaid;
  return report.plan.run.stopping === 'sequential' ? sequentialSaid : fixedSaid;
}

export function linkSections(report: PairsReport, section: (link: LinkSummary) => Html | null): Html {
  return html`${report.summary.links.map(link => {
    const content = section(link);
    return content === null ? null : html`<h3>${link.title}</h3>${content}`;
  })}`;
}

/** Text that explains what a share is relative to, also for a service that cannot use half of the link. */
export const sharesSaid =
  'A share is relative to the max-min fair share: half of the link; for a service that cannot use half, the median ' +
  'throughput that it had alone; for the service beside it, the rest of the link. ' +
  'The intervals do not include the uncertainty of this median.';
