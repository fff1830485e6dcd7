/** What a report is made of, and the port of its sections. */
import { othersOf, isFlood } from '../core/subject.ts';
import { medianCoverage } from '../core/stats/median-interval.ts';
import type { Plugin } from '../core/plugins.ts';
import { describeLink, describeLoss } from '../core/link.ts';
import type { TrialView } from '../harness/derive/trial-view.ts';
import type { Condition } from '../harness/experiment/conditions.ts';
import type { Plan } from '../harness/experiment/plan.ts';
import type { JudgedClaim } from '../harness/gate/claims.ts';
import type { Outcome } from '../harness/gate/judge.ts';
import type { DataFile } from '../harness/interchange/data-files.ts';
import type { TrialDetail } from '../harness/interchange/trial-details.ts';
import type { Versions } from '../harness/record/versions.ts';
import type { Summary } from '../harness/summary/summary.ts';
import { intervalName } from './format.ts';
import { html } from './html.ts';
import type { Html } from './html.ts';

export type ReportData = {
  plan: Plan;
  versions: Versions;
  createdMs: number;
  summary: Summary;
  /** Records of the trials that count, by condition. */
  records: ReadonlyMap<string, TrialView[]>;
  /** Every try of every trial, those that do not count, too. */
  details: readonly TrialDetail[];
  /** The numbers behind it, for who computes on; none where no trial was tried. */
  files: readonly DataFile[];
  /** How the thresholds of the definition were kept. */
  outcomes: readonly Outcome[];
  /** What the definition claims, judged. */
  claims: readonly JudgedClaim[];
};

export type ReportSection = Plugin & {
  /** Place in the report, ascending. */
  order: number;
  /** The section's content, without its heading; null where there is nothing to show. */
  render(report: ReportData): Promise<Html | null>;
};

/** One trial after the other, each read anew and forgotten: a thousand of them do not fit into memory at once. */
export async function overTrials<T>(
  records: readonly TrialView[],
  compute: (record: TrialView) => Promise<T>,
): Promise<T[]> {
  const results: T[] = [];
  for (const record of records) results.push(await compute(record.anew()));
  return results;
}

/** Between the parts of a link's description, not inside their brackets nor in the words for what forms it. */
const outerComma = /, (?!(?:not )?serialising)(?![^(]*\))/;

/** A caption names each condition while they are so few. */
const mostNamed = 4;

/** Every n the figures speak of: trials that count, per condition. */
export function trialCounts({ summary: { conditions } }: Pick<ReportData, 'summary'>): string {
  const counts = conditions.map(({ trials }) => trials);
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  if (least === most) return `n = ${most} per condition`;
  if (conditions.length <= mostNamed) return conditions.map(({ title, trials }) => `${title} n = ${trials}`).join(', ');
  const fewer = conditions.filter(({ trials }) => trials < most);
  const nextMost = Math.max(...fewer.map(({ trials }) => trials));
  return `n = ${most} per condition, but ${fewer.length <= mostNamed ? fewer.map(({ title, trials }) => `${trials} of ${title}`).join(' and ') : `${least === nextMost ? least : `${least} to ${nextMost}`} in ${fewer.length} of ${conditions.length}`}`;
}

/** What the brackets of each condition are: those of different n cover the median with different confidence. */
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

/** How many trials say that a flow saw more than the link has; null where none does. */
export function estimateLine({ summary: { trials } }: Pick<ReportData, 'summary'>): string | null {
  const flooded = trials.filter(({ verdict, flood }) => verdict.status !== 'invalid' && flood !== null);
  const high = flooded.filter(({ verdict }) => verdict.findings.some(({ kind }) => kind === 'estimate'));
  return high.length === 0
    ? null
    : `In ${high.length} of ${flooded.length} trials with a flood, a flow estimated more bandwidth than the link has: see "Trials"`;
}

/** The flood of a condition by what the kernel said it was: "1 x BBRv1", "no flood". */
export function floodLabel(condition: Condition, report: ReportData): string {
  const floods = othersOf(condition).filter(isFlood);
  if (floods.length === 0) return 'no flood';
  const labels = [
    ...new Set(
      report.summary.trials
        .filter(trial => trial.condition === condition.id && trial.flood !== null)
        .map(trial => trial.flood),
    ),
  ];
  const flows = floods.reduce((sum, { service: { params } }) => sum + ((params as { flows?: number }).flows ?? 1), 0);
  return `${flows} \u00d7 ${labels.join(' and ') || [...new Set(floods.map(({ service: { title } }) => title))].join(' and ')}`;
}

/** The flood of a condition, and its random loss where conditions differ in that: "1 x BBRv1, random loss 2 %". */
export function conditionLabel(condition: Condition, report: ReportData): string {
  const losses = new Set(report.plan.conditions.map(({ link }) => describeLoss(link.loss)));
  const flood = floodLabel(condition, report);
  return losses.size < 2 || condition.link.loss === null ? flood : `${flood}, ${describeLoss(condition.link.loss)}`;
}

/** The link of a condition, with what formed it in the condition's first trial. */
export function linkLine(
  { id, link }: Pick<Condition, 'id' | 'link'>,
  { records }: Pick<ReportData, 'records'>,
): string {
  return describeLink({ ...link, backend: records.get(id)?.[0]?.file.backend ?? link.backend });
}

/**
 * The conditions in one line, for captions: each of a few, of many what their links have in common and what differs.
 */
export function conditionsLine(report: ReportData): string {
  const { conditions } = report.plan;
  if (conditions.length <= mostNamed)
    return conditions
      .map(condition => `${condition.title}: ${floodLabel(condition, report)}, ${linkLine(condition, report)}`)
      .join('. ');
  const links = conditions.map(condition => linkLine(condition, report).split(outerComma));
  const places = Array.from({ length: Math.max(...links.map(parts => parts.length)) }, (_, place) => [
    ...new Set(links.map(parts => parts[place] ?? 'nothing more')),
  ]);
  return `${conditions.length} conditions on ${places.map(kinds => (kinds.length <= mostNamed ? kinds.join(' or ') : `one of ${kinds.length} kinds (${kinds[0]} to ${kinds.at(-1)})`)).join(', ')}; in full under "Conditions and versions"`;
}

/** The end of a caption: the conditions. A page of results has them once, under its Table 1. */
export const conditionsNote = (report: ReportData): Html =>
  html`<span data-alone="Conditions: as under Table 1.">${conditionsLine(report)}.</span>`;
