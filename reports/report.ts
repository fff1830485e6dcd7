/** What a report is made of, and the port of its sections. */

import type { Plugin } from '../core/plugins.ts';
import { medianCoverage } from '../core/stats/median-interval.ts';
import { congestionTitle } from '../core/vocabulary/congestion-title.ts';
import { describeLoss } from '../core/vocabulary/link.ts';
import { isFlood, othersOf } from '../core/vocabulary/subject.ts';
import type { TrialView } from '../harness/analysis/derive/trial-view.ts';
import type { JudgedClaim } from '../harness/analysis/gate/claims.ts';
import type { Outcome } from '../harness/analysis/gate/judge.ts';
import type { Summary } from '../harness/analysis/summary/summary.ts';
import type { Chosen } from '../harness/definition/applications.ts';
import type { Condition } from '../harness/definition/conditions.ts';
import type { Plan } from '../harness/definition/plan.ts';
import type { DataFile } from '../harness/exchange/data-files.ts';
import type { TrialDetail } from '../harness/exchange/trial-details.ts';
import type { Versions } from '../harness/record/versions.ts';
import type { Controller } from './controller-words.ts';
import { disturbedWords } from './disturbed.ts';
import { intervalName, mostNamed } from './format.ts';
import { type Html, html } from './html.ts';
import { linkLine, linksLine } from './link-words.ts';
import type { ParameterKinds } from './parameters.ts';

/** Facts that a service tells of its parameters (harness/services/service.ts). */
export type ServiceFacts = { flows: number; kernelControl: string | null; controller: Controller | null };

export type ReportData = {
  plan: Plan;
  versions: Versions;
  createdMs: number;
  summary: Summary;
  /** Records of the trials that count, by condition. */
  records: ReadonlyMap<string, TrialView[]>;
  /** Of each condition without a valid trial, by its id, the try that is shown (disturbed.ts). */
  disturbed: ReadonlyMap<string, TrialView>;
  /** Every try of every trial, including those that do not count. */
  details: readonly TrialDetail[];
  /** Files with the numbers of the report, for further analysis; none where no trial was tried. */
  files: readonly DataFile[];
  /** Whether each threshold of the definition was kept. */
  outcomes: readonly Outcome[];
  /** The claims of the definition with their verdicts. */
  claims: readonly JudgedClaim[];
  /** What the parameters of the plug-ins of today count. */
  kinds: ParameterKinds;
  factsOf(service: Chosen): ServiceFacts;
};

/** The part of the report that names floods. */
type Flooded = Pick<ReportData, 'plan' | 'summary' | 'factsOf'>;

export type ReportSection = Plugin & {
  /** Its heading where that depends on the study; the title where not there. */
  heading?(report: ReportData): string;
  /** Place in the report, ascending. */
  order: number;
  /** The section's content, without its heading; null where there is nothing to show. */
  render(report: ReportData): Promise<Html | null>;
  /** What the terminal says of it at the end of a run. */
  lines?(report: ReportData): string[];
};

/**
 * Computes for one trial after the other. Each trial is read afresh and released again, because the series of a
 * thousand trials do not fit into memory at once.
 */
export async function overTrials<T>(
  records: readonly TrialView[],
  compute: (record: TrialView) => Promise<T>,
): Promise<T[]> {
  const results: T[] = [];
  for (const record of records) results.push(await compute(record.anew()));
  return results;
}

/** Whether no trial of the study is valid. */
export const isWithoutTrials = ({ summary: { conditions } }: Pick<ReportData, 'summary'>) =>
  conditions.every(({ trials }) => trials === 0);

/** The n of figures that show disturbed tries of conditions without a valid trial, and which conditions these are. */
export function trialCounts(report: Pick<ReportData, 'summary'>): string {
  const note = disturbedWords(report.summary);
  if (note === null) return validCounts(report);
  return isWithoutTrials(report) ? note : `${validCounts(report)}; ${note}`;
}

/** The n of the figures: trials that count, per condition. */
export function validCounts({ summary: { conditions } }: Pick<ReportData, 'summary'>): string {
  const counts = conditions.map(({ trials }) => trials);
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  if (most === 0) return 'no valid trial';
  if (least === most) return `n = ${most} per condition`;
  if (conditions.length <= mostNamed) return conditions.map(({ title, trials }) => `${title} n = ${trials}`).join(', ');
  const fewer = conditions.filter(({ trials }) => trials < most);
  const nextMost = Math.max(...fewer.map(({ trials }) => trials));
  const range = least === nextMost ? least : `${least} to ${nextMost}`;
  const exceptions =
    fewer.length <= mostNamed
      ? fewer.map(({ title, trials }) => `${trials} of ${title}`).join(' and ')
      : `${range} in ${fewer.length} of ${conditions.length}`;
  return `n = ${most} per condition, but ${exceptions}`;
}

/** What the brackets of each condition mean: with another n they cover the median with another confidence. */
export function bracketsLine({ summary: { conditions } }: Pick<ReportData, 'summary'>): string {
  const names = new Map<string, string[]>();
  for (const { title, trials } of conditions) {
    if (trials === 0) continue;
    const name = intervalName(trials, medianCoverage(trials) ?? null);
    names.set(name, [...(names.get(name) ?? []), title]);
  }
  const all = [...names];
  if (all.length <= 1) return all[0]?.[0] ?? intervalName(0, null);
  const of = (titles: readonly string[]) =>
    titles.length <= mostNamed ? titles.join(' and ') : `${titles.length} conditions`;
  return `brackets: ${all.map(([name, titles]) => `of ${of(titles)} ${name.replace(/^brackets: /, '')}`).join('; ')}`;
}

/** In how many trials a flow estimated more bandwidth than the link has; null where in none. */
export function estimateLine({ summary: { trials } }: Pick<ReportData, 'summary'>): string | null {
  const flooded = trials.filter(({ verdict, flood }) => verdict.status !== 'invalid' && flood !== null);
  const high = flooded.filter(({ verdict }) => verdict.findings.some(({ kind }) => kind === 'estimate'));
  if (high.length === 0) return null;
  const trialsSaid = `${high.length} of ${flooded.length} trials with a flood`;
  return `In ${trialsSaid}, a flow estimated more bandwidth than the link has: see "Trials"`;
}

/** The flood of a condition, with the controller that the kernel reported: "1 x BBRv1", "no flood". */
export function floodLabel(condition: Condition, report: Flooded): string {
  const floods = othersOf(condition).filter(isFlood);
  if (floods.length === 0) return 'no flood';
  const flows = floods.reduce((sum, { service }) => sum + report.factsOf(service).flows, 0);
  const labels = labelsIn(report, ({ id }) => id === condition.id);
  return `${flows} \u00d7 ${(labels.length > 0 ? labels : askedLabels(condition, report)).join(' and ')}`;
}

/** What the kernel reported of the floods of some conditions. */
function labelsIn(
  { plan, summary }: Pick<ReportData, 'plan' | 'summary'>,
  isOne: (of: Condition) => boolean,
): string[] {
  const ids = plan.conditions.filter(isOne).map(({ id }) => id);
  const told = summary.trials.flatMap(({ condition, flood }) =>
    ids.includes(condition) && flood !== null ? [flood] : [],
  );
  return [...new Set(told)];
}

/**
 * Where no trial of a condition has told: what was reported in others that ask for the same, else the name that was asked
 * for. So every sentence names a flood by its congestion control, and one without by its service.
 */
function askedLabels(condition: Condition, report: Flooded): string[] {
  const asked = controlsOf(condition, report);
  const elsewhere = labelsIn(report, one => controlsOf(one, report).join() === asked.join());
  return elsewhere.length > 0 ? elsewhere : asked;
}

/** "CUBIC", or the title of a service that has no congestion control; each once. */
function controlsOf(condition: Condition, { factsOf }: Pick<ReportData, 'factsOf'>): string[] {
  const names = othersOf(condition)
    .filter(isFlood)
    .map(({ service }) => {
      const { kernelControl } = factsOf(service);
      return kernelControl === null ? service.title : congestionTitle(kernelControl);
    });
  return [...new Set(names)];
}

/**
 * What conditions may differ in: the flood, where any has one, and the random loss, where they differ in that: "1 x
 * BBRv1, random loss 2 %". May be empty.
 */
export function conditionLabel(condition: Condition, report: ReportData): string {
  const { conditions } = report.plan;
  const hasFloods = conditions.some(one => othersOf(one).some(isFlood));
  const losses = new Set(conditions.map(({ link }) => describeLoss(link.loss)));
  return [
    ...(hasFloods ? [floodLabel(condition, report)] : []),
    ...(losses.size < 2 || condition.link.loss === null ? [] : [describeLoss(condition.link.loss)]),
  ].join(', ');
}

/**
 * The conditions in one line, for captions: a few are described one by one; of many, what their links have in common
 * and where they differ.
 */
export function conditionsLine(report: ReportData): string {
  const { conditions } = report.plan;
  if (conditions.length > mostNamed)
    return `${conditions.length} conditions, in full under "Conditions and versions"; their links: ${linksLine(report)}`;
  const links = conditions.map(condition => linkLine(condition, report));
  const floods = conditions.map(condition => `${condition.title}: ${floodLabel(condition, report)}`);
  if (new Set(links).size > 1) return floods.map((flood, i) => `${flood}, ${links[i]!}`).join('. ');
  return `${floods.join('; ')}${conditions.length === 1 ? ', on' : '; each on'} ${links[0]!}`;
}

/** The end of a caption: the conditions. A page of results has them once, under its Table 1. */
export const conditionsNote = (report: ReportData): Html =>
  html`<span data-alone="Conditions: as under Table 1.">${conditionsLine(report)}.</span>`;
