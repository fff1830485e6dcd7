/** Runs of hand-made trials, rendered with the real metrics and sections. */
import { readFileSync } from 'node:fs';
import type { Summary } from '../../../../harness/analysis/summary/summary.ts';
import type { Plan } from '../../../../harness/definition/plan.ts';
import type { RunFolder } from '../../../../harness/record/run-folder.ts';
import { finishRun, summariseRun } from '../../../../harness/studies/conditions/finish.ts';
import { parseMarkup } from '../../../../reports/markup.ts';
import { planOf } from '../../harness/support/plan.ts';
import {
  type Change,
  endMs,
  every,
  presentedAt,
  reading,
  startMs,
  stats,
  tcp,
  writeRecord,
} from '../../harness/support/record.ts';
import { commitTrial, createFolder, fileOf, voided } from '../../harness/support/run-folder.ts';

export const conditions = {
  alone: { title: 'Alone', flood: { id: 'none' } },
  wired: { title: 'Wired' },
  lossy: { title: 'Lossy', link: { loss: '2%' } },
};

/** Values that a made trial shows. */
export type Made = { stallMs?: number; label?: string; change?: Change; series?: Record<string, readonly object[]> };

/** Series of one trial: 50 frames a second with one stall, 1 Mbit/s of media, 37 Mbit/s of flood, pings of 20 ms. */
function seriesOf(
  stallMs: number,
  withFlood: boolean,
  series: Record<string, readonly object[]> = {},
): Record<string, readonly object[]> {
  const seconds = every(1000, startMs, endMs);
  const elapsed = (time: number) => (time - startMs) / 1000;
  return {
    'frames.presented': presentedAt([
      ...every(20, startMs - 1000, 14_000),
      ...every(20, 14_000 + Math.max(20, stallMs), endMs),
    ]),
    stats: seconds.map(time =>
      stats(time, {
        framesDecoded: 50 * elapsed(time),
        bytesReceived: 125_000 * elapsed(time),
        jitter: 0.002,
        freezeCount: 0,
        totalFreezesDuration: 0,
      }),
    ),
    ping: every(200, startMs, endMs - 200).map((timeMs, i) => ({
      timeMs,
      sequence: i + 1,
      rttMs: i % 10 === 9 ? null : 20,
    })),
    tcp: withFlood ? seconds.map(time => tcp(time, 'receiver', 9, { bytesReceived: 4_625_000 * elapsed(time) })) : [],
    ...series,
  };
}

/** Files and series of the plan's first trials, by `made`. */
export function madeTrials(plan: Plan, made: readonly (Made | 'void')[]) {
  return made.map((trial, i) => {
    const withFlood =
      plan.conditions.find(condition => condition.id === plan.trials[i]!.condition)!.applications.length > 1;
    const flood = { label: (trial !== 'void' && trial.label) || 'BBRv1', evidence: 'ss -tin shows "bbr"', flows: [] };
    const file = fileOf(plan, i + 1, {
      flood: withFlood ? flood : null,
      bottleneck: { before: reading(startMs), after: reading(endMs, { sentBytes: 48e6 }) },
      cpuRatio: { 'service server': 0.3 },
      ...(trial === 'void' ? { verdict: voided } : trial.change),
    });
    return {
      file,
      series: seriesOf(trial === 'void' ? 0 : (trial.stallMs ?? 0), withFlood, trial === 'void' ? {} : trial.series),
    };
  });
}

/** `lines`: lines for the terminal. */
export type Rendered = { page: string; summary: Summary; plan: Plan; lines: string[] };

type RunMade = readonly (Made | 'void')[];

/** Makes the run of a plan, with its first trials by `made`. */
function makeRun(parent: string, name: string, plan: Plan, made: RunMade): RunFolder {
  const folder = createFolder(parent, name, plan);
  for (const { file, series } of madeTrials(plan, made))
    commitTrial(folder, file, directory => void writeRecord(directory, series));
  return folder;
}

/** Makes a run and returns its summary. */
export const summaryOfRun = (parent: string, name: string, plan: Plan, made: RunMade): Promise<Summary> =>
  summariseRun(makeRun(parent, name, plan, made));

/** Makes a run and renders its report. */
export async function renderRun(parent: string, name: string, plan: Plan, made: RunMade): Promise<Rendered> {
  const { summary, reportPath, lines } = await finishRun(makeRun(parent, name, plan, made));
  return { page: readFileSync(reportPath, 'utf8'), summary, plan, lines };
}

/** Three conditions, two repeats, one trial voided. */
export function fullRun(parent: string): Promise<Rendered> {
  return renderRun(parent, 'full', planOf({ conditions, run: { window: '10s', repeats: 2 } }), [
    { stallMs: 300 },
    { stallMs: 450 },
    { stallMs: 600 },
    { stallMs: 500 },
    'void',
    { stallMs: 1000 },
  ]);
}

let parsed: { page: string; document: ReturnType<typeof parseMarkup> } | undefined;

/**
 * Parses a page as a browser would, without running it. Plot's style elements are left out, because happy-dom cannot
 * parse a style element inside an SVG, and so are strips of time, whose labels would join the sentences. The document
 * of the last page is kept for further tests, so it must not be changed.
 */
export function parsePage(page: string) {
  if (parsed?.page !== page) {
    const words = page.replace(/<style>:where\(\.plot-.*?<\/style>|<svg class="strip".*?<\/svg>/gs, '');
    const document = parseMarkup(words);
    parsed = { page, document };
  }
  return parsed.document;
}

/** Data of the page's zoomable charts. */
export function chartsOf(page: string): {
  title: string;
  x: { values: number[] };
  y: { max?: number };
  lines: {
    label: string;
    colour: number;
    values: (number | null)[];
    band?: { low: (number | null)[]; high: (number | null)[] };
  }[];
  marks?: { from: number; to: number }[];
  stops?: { from: number; to: number; label: string }[];
}[] {
  return [...page.matchAll(/<script type="application\/json">(.*?)<\/script>/gs)].map(match => JSON.parse(match[1]!));
}
