/**
 * Runs of trials with known truth, through summary, verdict, Table 1 and the comparison of two runs: the injected
 * values, and the texts of the reports about them.
 *
 * A trial shows frames at an even rate, with a stall in some trials; its stream has a constant bitrate and its frames a
 * constant age. All conditions of a repeat share one part of chance (as on one machine at one time), and each trial
 * adds a separate part.
 */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isHeadline } from '../../../../core/vocabulary/headline.ts';
import { subjectOf } from '../../../../core/vocabulary/subject.ts';
import { type ComparedRun, compareRuns, type MetricRow } from '../../../../harness/analysis/compare/compare-runs.ts';
import { summarise } from '../../../../harness/analysis/summary/summarise.ts';
import { comparedRun } from '../../../../harness/studies/conditions/compared.ts';
import { loadMetrics } from '../../../../harness/studies/metrics.ts';
import { changesInWords } from '../../../../reports/comparison.ts';
import type { ReportData, ReportSection } from '../../../../reports/report.ts';
import { plugin as table1 } from '../../../../reports/sections/table-1/index.ts';
import { plugin as verdict } from '../../../../reports/sections/verdict/index.ts';
import { planOf } from '../../harness/support/plan.ts';
import { endMs, presented, startMs, stats, writeRecord } from '../../harness/support/record.ts';
import { createFolder, fileOf, versions, voided } from '../../harness/support/run-folder.ts';
import { noTrials } from './facts.ts';
import { parsePage } from './run.ts';
import { type ToldVerdict, verdictOf } from './verdict.ts';

/** Quantities that one try shows. */
export type Shown = {
  frameRate: number;
  latencyMs: number;
  /** Additional latency of one frame in ten, ms. */
  tailMs: number;
  goodputBps: number;
  /** Length of the try's only stall, ms; 0 without a stall. */
  stallMs: number;
  /** Bitrate of the second half of the window minus that of the first half, bit/s. */
  driftBps: number;
  /** Time for which the round trip is far too long, ms: a multiple of the 200 ms between two probes. */
  lateMs: number;
  /** Number of frames at the end of the stall that a delayed page showed without a callback. */
  unseen?: number;
};

export type Try = { shown: Shown; isVoid: boolean; machine?: string };

/** Tries of each condition, repeat by repeat. The last try of a repeat may count, the ones before it are void. */
export type Tries = Record<string, Try[][]>;

const displayMs = 1000 / 60;
const stallAtMs = startMs + 4000;

function series({
  frameRate,
  latencyMs,
  tailMs,
  goodputBps,
  stallMs,
  driftBps,
  lateMs,
  unseen = 0,
}: Shown): Record<string, readonly object[]> {
  const stepMs = 1000 / frameRate;
  const before = Array.from({ length: Math.floor(5000 / stepMs) + 1 }, (_, i) => stallAtMs - i * stepMs).reverse();
  const firstMs = stallAtMs + Math.max(stepMs, stallMs); // end of the stall
  const seenMs = firstMs + unseen * displayMs; // time of the first callback
  const later = Array.from({ length: Math.floor((endMs - seenMs) / stepMs) + 1 }, (_, i) => seenMs + i * stepMs);
  const all = [...before, ...later].map((timeMs, i) => presented(timeMs, i + 1 + (i >= before.length ? unseen : 0), i));
  const seconds = Array.from({ length: 11 }, (_, i) => startMs + 1000 * i);
  const bytes = (afterMs: number) =>
    ((goodputBps - driftBps / 2) * Math.min(afterMs, 5000) +
      (goodputBps + driftBps / 2) * Math.max(0, afterMs - 5000)) /
    8000;
  return {
    ping: Array.from({ length: 50 }, (_, i) => {
      const afterMs = 200 * i;
      const isLate = lateMs > 0 && afterMs >= 2000 && afterMs <= 2000 + lateMs;
      return { timeMs: startMs + afterMs, sequence: i, rttMs: isLate ? 1000 : 20 };
    }),
    'frames.presented': all,
    'frames.sent': all.map(({ presentationMs, rtpTimestamp }, i) => {
      const sentMs = presentationMs - latencyMs - (i % 10 === 0 ? tailMs : 0);
      return {
        frame: i,
        rtpTimestamp,
        clipFrame: i,
        captureMs: sentMs,
        encodedMs: sentMs,
        firstPacketMs: sentMs,
        lastPacketMs: sentMs,
        bytes: 2000,
        packets: 2,
        key: false,
        encoderBps: 1e6,
      };
    }),
    page: seconds.map(timeMs => ({ timeMs, mainThreadDelayMaxMs: unseen * displayMs, visible: true })),
    stats: seconds.map(timeMs =>
      stats(timeMs, {
        framesDecoded: (frameRate * (timeMs - startMs)) / 1000,
        bytesReceived: bytes(timeMs - startMs),
      }),
    ),
  };
}

/** Frames a second that the service reports as captured. */
export const capturedRate = 50;

/** Metrics in the sentences of the verdict and in Table 1. */
const spokenOf = [
  'drift',
  'frame-rate',
  'stall',
  'throughput',
  'utilisation',
  'frame-latency',
  'round-trip',
  'freeze',
  'packet-loss',
  'fairness',
  'frame-size',
  'high-delay',
  'picture-quality',
  'g1072',
];

/** Cells of a table by the header of their row. */
type Rows = Record<string, string[]>;

export type ToldReport = { verdict: ToldVerdict; table1: Rows; tries: Rows; caption: string; run: ComparedRun };

const words = ({ textContent }: { textContent: string }) => textContent.replace(/\s+/g, ' ').trim();
/** Text of a cell, with a space before a small line. */
const cellWords = ({ childNodes }: { childNodes: Iterable<{ textContent: string }> }) =>
  [...childNodes].map(words).filter(Boolean).join(' ');

const rowsOf = (table: { querySelectorAll(selector: string): Iterable<ReturnType<typeof parsePage>['body']> }): Rows =>
  Object.fromEntries(
    [...table.querySelectorAll('tbody tr')].map(row => {
      const [head, ...cells] = [...row.querySelectorAll('th, td')].map(cellWords);
      return [head!, cells];
    }),
  );

/** Text on each condition of a comparison of two runs, and the rows that the text is based on. */
export function comparisonOf(a: ComparedRun, b: ComparedRun): { words: string; rows: MetricRow[] }[] {
  const comparison = compareRuns(a, b);
  return comparison.conditions.map(condition => ({
    words: words(parsePage(changesInWords(condition, comparison).text).body).replaceAll('\u2212', '-'),
    rows: condition.rows,
  }));
}

/** Writes the run, and returns the statements of its report. */
export async function reportOf(parent: string, name: string, tries: Tries): Promise<ToldReport> {
  const ids = Object.keys(tries);
  const repeats = tries[ids[0]!]!.length;
  const conditions = Object.fromEntries(
    ids.map((id, i) => [id, { title: id, flood: { id: 'none' }, link: { rate: `${40 - i}mbit` } }]),
  );
  const plan = planOf({ conditions, run: { window: '10s', repeats } });
  for (const condition of plan.conditions) subjectOf(condition).frameRate = capturedRate;
  const folder = createFolder(parent, name, plan);
  for (const [i, { id, condition, repeat }] of plan.trials.entries()) {
    for (const [k, { shown, isVoid, machine }] of tries[condition]![repeat - 1]!.entries()) {
      // written directly, because nothing interrupts it
      const directory = join(folder.path, 'trials', isVoid ? `${id}.void${k + 1}` : id);
      mkdirSync(directory);
      writeRecord(directory, series(shown));
      writeFileSync(
        join(directory, 'trial.json'),
        JSON.stringify(
          fileOf(plan, i + 1, {
            attempt: k + 1,
            ...(isVoid ? { verdict: voided } : {}),
            ...(machine === undefined ? {} : { machine }),
          }),
        ),
      );
    }
  }
  const summary = await summarise(
    folder,
    (await loadMetrics()).filter(({ id }) => spokenOf.includes(id)),
  );
  const data = { plan, summary, ...noTrials } as Pick<
    ReportData,
    'plan' | 'summary' | 'records' | 'disturbed' | 'details'
  > as ReportData;
  const said = async (section: ReportSection) => (await section.render(data))!.text.replaceAll('\u2212', '-');
  const tables = parsePage(await said(table1)).body;
  const [paper, tried] = [...tables.querySelectorAll('figure')];
  return {
    verdict: verdictOf(await said(verdict)),
    table1: rowsOf(paper!),
    tries: rowsOf(tried!.querySelector('table')!),
    caption: words(paper!.querySelector('figcaption')!),
    // a comparison describes the headline metrics in words; their tests are a separate family
    run: {
      ...comparedRun(plan, { ...summary, quantities: summary.quantities.filter(({ id }) => isHeadline(id)) }),
      name,
      versions,
      createdMs: 0,
    },
  };
}
