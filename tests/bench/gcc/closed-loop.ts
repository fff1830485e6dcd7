/**
 * The closed loop: the studies `gcc-and-chromium` and `gcc-beside-floods`, their medians and ratios. Limits are those
 * of the mean rate, of the link's use and of the queue; ramp-up, percentiles of the rate, loss and the reaction to
 * steps are told beside them.
 */

import type { Estimate } from '../../../core/vocabulary/estimate.ts';
import type { ConditionSummary, Summary } from '../../../harness/analysis/summary/summary.ts';
import { summariseValues } from '../../../harness/analysis/summary/values.ts';
import type { RunFolder } from '../../../harness/record/run-folder.ts';
import { TrialRecord } from '../../../harness/record/trial-record.ts';
import { finishRun } from '../../../harness/studies/conditions/finish.ts';
import alone from '../../../harness/studies/experiment/shipped/gcc-and-chromium.ts';
import besideFloods from '../../../harness/studies/experiment/shipped/gcc-beside-floods.ts';
import { withStudy } from '../support/run-study.ts';
import { type Course, courseOf, fullRatio, mostQueueMs } from './course.ts';

/** Most that our median rate may differ from Chromium's, as a share of it. */
const apart = { alone: 0.15, beside: 0.3 };
/** Of a link that the stream has for itself. */
const leastUtilisation = 0.85;

export type Row = { words: string; passed: boolean };
/** One sender of a pair: its condition and how its trials went. */
export type Side = { condition: ConditionSummary; courses: readonly Course[] };

/** "0.52 [0.48, 0.55]"; with n where trials are missing. */
function told({ value, low, high, n }: Estimate, scale: number, digits: number, trials: number): string {
  if (value === null) return `none of ${trials}`;
  const text = (of: number) => (of * scale).toFixed(digits);
  return `${text(value)}${low === null ? '' : ` [${text(low)}, ${text(high!)}]`}${n === trials ? '' : ` (${n} of ${trials})`}`;
}

/** Both senders' medians of a value of the trials' courses. */
function both(
  sides: readonly Side[],
  of: (course: Course) => number | null | undefined,
  scale: number,
  digits: number,
): string {
  return sides.map(({ courses }) => told(summariseValues(courses.map(of)), scale, digits, courses.length)).join(' / ');
}

const ofMetric = (sides: readonly Side[], id: string, scale: number, digits: number) =>
  sides.map(({ condition }) => told(condition.metrics[id]!, scale, digits, condition.trials)).join(' / ');

/** What has no limit. `stepsBps`: the rates that the link takes in turn. */
function toldOf(sides: readonly Side[], stepsBps: readonly number[], isAlone: boolean): string[] {
  return [
    'rate of a second, 5th, 50th, 95th percentile: ' +
      `${[0, 1, 2].map(k => both(sides, ({ rateBps }) => rateBps[k], 1e-6, 2)).join('; ')} Mbit/s`,
    [
      ...(isAlone
        ? [`link full (${fullRatio * 100} %) after ${both(sides, course => course.rampUpMs, 1e-3, 1)} s`]
        : []),
      `lost at the queue ${ofMetric(sides, 'queue-loss', 100, 2)} %`,
    ].join('; '),
    ...stepsBps.map(
      (bps, k) =>
        `step to ${bps / 1e6} Mbit/s: ` +
        `queue below ${mostQueueMs} ms after ${both(sides, ({ steps }) => steps[k]!.orderMs, 1e-3, 1)} s; ` +
        `link full at that after ${both(sides, ({ steps }) => steps[k]!.fullMs, 1e-3, 1)} s`,
    ),
  ];
}

/** `sides`: ours, Chromium's. `repeats`: trials that were asked for. Without steps the pair has limits. */
export function compare(sides: readonly [Side, Side], stepsBps: readonly number[], repeats: number): Row {
  const [live, call] = sides.map(({ condition }) => condition) as [ConditionSummary, ConditionSummary];
  const [rate, callRate] = [live, call].map(({ metrics }) => metrics['goodput']!.value) as [
    number | null,
    number | null,
  ];
  if (rate === null || callRate === null)
    return { words: `${live.title}: no trial of one of them counts`, passed: false };
  const isAlone = live.together['goodput']!.value === null;
  const isLimited = stepsBps.length === 0;
  const ratio = rate / callRate;
  const limit = isAlone ? apart.alone : apart.beside;
  const [used, callUsed] = [live, call].map(({ metrics }) => metrics['link-utilisation']!.value!);
  const queueMs = live.metrics['queue-delay-p95']!.value ?? NaN;
  const isComplete = live.trials >= repeats && call.trials >= repeats;
  const isWithin = Math.abs(ratio - 1) <= limit && (!isAlone || (used! >= leastUtilisation && queueMs < mostQueueMs));
  const passed = isComplete && (isWithin || !isLimited);
  const judged = isLimited && isAlone;
  const words = [
    live.title.padEnd(28),
    `${ofMetric([sides[0]], 'goodput', 1e-6, 2)} Mbit/s, Chromium ${ofMetric([sides[1]], 'goodput', 1e-6, 2)}`,
    `ratio ${ratio.toFixed(2)}${isLimited ? ` (limit ${1 - limit} to ${1 + limit})` : ''}`,
    ...(isLimited
      ? [
          `link used ${(used! * 100).toFixed(0)} % / ` +
            `${(callUsed! * 100).toFixed(0)} %${judged ? ` (limit ${leastUtilisation * 100})` : ''}`,
        ]
      : []),
    `queue p95 ${ofMetric(sides, 'queue-delay-p95', 1, 0)} ms${judged ? ` (limit ${mostQueueMs})` : ''}`,
    `n = ${live.trials} / ${call.trials}${isComplete ? '' : ` (limit ${repeats})`}`,
    passed ? 'ok' : 'MISSED',
  ].join('; ');
  return { passed, words: [words, ...toldOf(sides, stepsBps, isAlone)].join('\n    ') };
}

/** A row for each pair of the run: conditions "live-x" and "call-x". */
export async function closedLoopRows(folder: RunFolder, summary: Summary, repeats: number): Promise<Row[]> {
  const { plan } = folder.planFile();
  const sideOf = async (id: string): Promise<Side> => {
    const names = summary.trials
      .filter(trial => trial.condition === id && trial.metrics !== null)
      .map(({ name }) => name);
    return {
      condition: summary.conditions.find(condition => condition.id === id)!,
      courses: await Promise.all(
        names.map(name => courseOf(new TrialRecord(folder.trialFile(name), folder.trialFolder(name), plan.measure))),
      ),
    };
  };
  const rows: Row[] = [];
  for (const { id, link } of plan.conditions) {
    const name = /^live-(.*)$/.exec(id)?.[1];
    if (name === undefined) continue;
    rows.push(
      compare(
        [await sideOf(id), await sideOf(`call-${name}`)],
        link.schedule.map(({ rateBps }) => rateBps),
        repeats,
      ),
    );
  }
  return rows;
}

/** Prints the lines of each pair; whether all kept their limits. */
export async function runClosedLoop(repeats: number): Promise<boolean> {
  let allPassed = true;
  for (const [name, definition] of Object.entries({ 'gcc-and-chromium': alone, 'gcc-beside-floods': besideFloods })) {
    const rows = await withStudy(
      name,
      { ...definition, run: { ...definition.run, repeats, retries: 5 } },
      async folder => closedLoopRows(folder, (await finishRun(folder)).summary, repeats),
    );
    process.stdout.write(`${rows.map(row => row.words).join('\n')}\n`);
    allPassed &&= rows.every(row => row.passed);
  }
  return allPassed;
}
