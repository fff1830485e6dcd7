/** Data of a report, and the port (interface) of its sections. */

import type { Plugin } from '../core/plugins.ts';
import { medianCoverage } from '../core/stats/median-interval.ts';
import { congestionTitle } from '../core/vocabulary/congestion-title.ts';
import { describeLoss } from '../core/vocabulary/link.ts';
import { isFlood, othersOf } from '../core/vocabulary/subject.ts';
import type { TrialView } from '../harness/analysis/derive/trial-view.ts';
import type { Summary } from '../harness/analysis/summary/summary.ts';
import type { Chosen } from '../harness/definition/applications.ts';
import type { Condition } from '../harness/definition/conditions.ts';
import type { Plan } from '../harness/definition/plan.ts';
import type { Reference } from '../harness/definition/reference.ts';
import type { DataFile } from '../harness/exchange/data-files.ts';
import type { TrialDetail } from '../harness/exchange/trial-details.ts';
import type { Versions } from '../harness/record/versions.ts';
import type { VoiceScores } from '../harness/record/voice-scores.ts';
import type { Controller } from './controller-words.ts';
import { disturbedWords } from './disturbed.ts';
import { intervalName, mostNamed } from './format.ts';
import { type Html, html } from './html.ts';
import type { JudgedReport } from './judged-report.ts';
import { linkLine, linksLine } from './link-words.ts';
import type { ParameterKinds } from './parameters.ts';

/** Facts that a service states about its congestion control and flows (harness/services/service.ts). */
export type ServiceFacts = { flows: number; kernelControl: string | null; controller: Controller | null };

export type ReportData = JudgedReport & {
  plan: Plan;
  versions: Versions;
  createdMs: number;
  summary: Summary;
  /** Records of the trials that count, by id of the condition. */
  records: ReadonlyMap<string, TrialView[]>;
  /**
   * Record of the disturbed try that is shown for a condition without a valid trial, by id of the condition
   * (disturbed.ts).
   */
  disturbed: ReadonlyMap<string, TrialView>;
  /** Every try of every trial, including tries that do not count. */
  details: readonly TrialDetail[];
  /** Files with the numbers of the report, for further analysis. Empty if the run has no try. */
  files: readonly DataFile[];
  /** Published values of the definition; null if it has none. */
  reference: Reference | null;
  /** Scores of the voices; null if they were not scored. */
  voiceScores: VoiceScores | null;
  /** Kind of quantity of each parameter of the plug-ins, from the schemas of this version. */
  kinds: ParameterKinds;
  factsOf(service: Chosen): ServiceFacts;
};

/** Data of a report that are needed to name a flood. */
type Flooded = Pick<ReportData, 'plan' | 'summary' | 'factsOf'>;

/** Section of a report. `R`: data of the report, by default those of an experiment. */
export type ReportSection<R = ReportData> = Plugin & {
  /** Returns the heading if it depends on the study. If missing, the heading is the title. */
  heading?(report: R): string;
  /** Sort key of the section in the report, ascending. */
  order: number;
  /** Renders the content of the section, without the heading. Null if the section has nothing to show. */
  render(report: R): Promise<Html | null> | Html | null;
  /** Returns the lines that the section prints on the terminal at the end of a run. */
  lines?(report: R): string[];
};

/**
 * Runs `compute` on each trial, one after the other. Each trial is read anew and then released, because the series of a
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

/** True if the study has no valid trial. */
export const isWithoutTrials = ({ summary: { conditions } }: Pick<ReportData, 'summary'>) =>
  conditions.every(({ trials }) => trials === 0);

/** Describes the number of trials n behind the figures, and the conditions for which a disturbed try is shown. */
export function trialCounts(report: Pick<ReportData, 'summary'>): string {
  const note = disturbedWords(report.summary);
  if (note === null) return validCounts(report);
  return isWithoutTrials(report) ? note : `${validCounts(report)}; ${note}`;
}

/** Describes the number of valid trials n behind the figures: once if it is the same for all conditions. */
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

/** Explains the brackets of the figures. The confidence level depends on n, so it may differ between conditions. */
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

/** Describes in how many trials a flow estimated more bandwidth than the link has. Null if there is no such trial. */
export function estimateLine({ summary: { trials } }: Pick<ReportData, 'summary'>): string | null {
  const flooded = trials.filter(({ verdict, flood }) => verdict.status !== 'invalid' && flood !== null);
  const high = flooded.filter(({ verdict }) => verdict.findings.some(({ kind }) => kind === 'estimate'));
  if (high.length === 0) return null;
  const trialsSaid = `${high.length} of ${flooded.length} trials with a flood`;
  return `In ${trialsSaid}, a flow estimated more bandwidth than the link has: see "Trials"`;
}

/**
 * Describes the flood of a condition: number of flows, and the congestion control that the kernel reported: "1 x
 * BBRv1". Returns "no flood" if the condition has none.
 */
export function floodLabel(condition: Condition, report: Flooded): string {
  const floods = othersOf(condition).filter(isFlood);
  if (floods.length === 0) return 'no flood';
  const flows = floods.reduce((sum, { service }) => sum + report.factsOf(service).flows, 0);
  const labels = labelsIn(report, ({ id }) => id === condition.id);
  return `${flows} \u00d7 ${(labels.length > 0 ? labels : askedLabels(condition, report)).join(' and ')}`;
}

/** Returns the congestion controls that the kernel reported for floods, each once. `isOne`: selects the conditions. */
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
 * Returns the congestion controls of a condition whose trials reported none. They are those that the kernel reported in
 * other conditions which request the same controls, or else the requested controls.
 */
function askedLabels(condition: Condition, report: Flooded): string[] {
  const asked = controlsOf(condition, report);
  const elsewhere = labelsIn(report, one => controlsOf(one, report).join() === asked.join());
  return elsewhere.length > 0 ? elsewhere : asked;
}

/**
 * Returns the congestion controls that the floods of a condition request, each once: "CUBIC". For a service without
 * congestion control, returns the title of the service.
 */
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
 * Returns a label with the parts in which conditions of the study differ: the flood if any condition has one, and the
 * random loss if it differs: "1 x BBRv1, random loss 2 %". May be empty.
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
 * Describes the conditions in one line, for captions. A few conditions are described one by one. For a larger number,
 * the line describes the values that their links share and those that differ.
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

/**
 * Returns the end of a caption that describes the conditions. A results page shows the text of `data-alone` instead,
 * since it describes the conditions under Table 1.
 */
export const conditionsNote = (report: ReportData): Html =>
  html`<span data-alone="Conditions: as under Table 1.">${conditionsLine(report)}.</span>`;
