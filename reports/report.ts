/** Data of a report, and the port (interface) of its sections. */

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

/** Facts that a service states about its parameters (harness/services/service.ts). */
export type ServiceFacts = { flows: number; kernelControl: string | null; controller: Controller | null };

export type ReportData = {
  plan: Plan;
  versions: Versions;
  createdMs: number;
  summary: Summary;
  /** Records of the trials that count, by condition id. */
  records: ReadonlyMap<string, TrialView[]>;
  /** The try that is shown for each condition without a valid trial, by condition id (disturbed.ts). */
  disturbed: ReadonlyMap<string, TrialView>;
  /** Every try of every trial, including those that do not count. */
  details: readonly TrialDetail[];
  /** Files with the numbers of the report, for further analysis. Empty if there was no try. */
  files: readonly DataFile[];
  /** Results of the thresholds of the definition. */
  outcomes: readonly Outcome[];
  /** Claims of the definition with their verdicts. */
  claims: readonly JudgedClaim[];
  /** Kinds of quantity of the plug-ins' parameters, from their current schemas. */
  kinds: ParameterKinds;
  factsOf(service: Chosen): ServiceFacts;
};

/** Fields of a report that are needed to name a flood. */
type Flooded = Pick<ReportData, 'plan' | 'summary' | 'factsOf'>;

export type ReportSection = Plugin & {
  /** Heading, if it depends on the study. Default: the title. */
  heading?(report: ReportData): string;
  /** Position in the report, ascending. */
  order: number;
  /** Renders the content of the section without its heading. Null if there is nothing to show. */
  render(report: ReportData): Promise<Html | null>;
  /** Lines that the terminal prints for the section at the end of a run. */
  lines?(report: ReportData): string[];
};

/**
 * Runs `compute` on one trial after the other. Each trial is read anew and then released, because the series of a
 * thousand trials do not fit into memory together.
 */
export async function overTrials<T>(
  records: readonly TrialView[],
  compute: (record: TrialView) => Promise<T>,
): Promise<T[]> {
  const results: T[] = [];
  for (const record of records) results.push(await compute(record.anew()));
  return results;
}

/** True if no trial of the study is valid. */
export const isWithoutTrials = ({ summary: { conditions } }: Pick<ReportData, 'summary'>) =>
  conditions.every(({ trials }) => trials === 0);

/** States the n of the figures, and which conditions without a valid trial are shown by a disturbed try. */
export function trialCounts(report: Pick<ReportData, 'summary'>): string {
  const note = disturbedWords(report.summary);
  if (note === null) return validCounts(report);
  return isWithoutTrials(report) ? note : `${validCounts(report)}; ${note}`;
}

/** States the n of the figures: the number of trials that count, per condition. */
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

/** Explains the brackets. Conditions with different n have different confidence levels. */
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

/** States in how many trials a flow estimated more bandwidth than the link has. Null if in none. */
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

/** Congestion controls that the kernel reported for the floods of the selected conditions, each once. */
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
 * Names the floods of a condition whose trials reported no congestion control. Uses the reports of other conditions
 * that request the same control, else the requested name. Every sentence thus names a flood by its congestion control,
 * or by its service if it has none.
 */
function askedLabels(condition: Condition, report: Flooded): string[] {
  const asked = controlsOf(condition, report);
  const elsewhere = labelsIn(report, one => controlsOf(one, report).join() === asked.join());
  return elsewhere.length > 0 ? elsewhere : asked;
}

/** Requested congestion controls, each once: "CUBIC". A service without congestion control gives its title. */
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
 * Label of a condition by what the study varies: the flood if any condition has one, and the random loss if it differs:
 * "1 x BBRv1, random loss 2 %". May be empty.
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
 * The conditions in one line, for captions. A few conditions are described one by one. For more, the line states what
 * their links share and where they differ.
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

/** End of a caption: the conditions. A results page shows a reference instead, since it has them under its Table 1. */
export const conditionsNote = (report: ReportData): Html =>
  html`<span data-alone="Conditions: as under Table 1.">${conditionsLine(report)}.</span>`;
