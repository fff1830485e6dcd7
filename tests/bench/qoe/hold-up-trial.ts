/** The trial that hold-ups are put into, and what its record tells of the viewer and of each part's punctuality. */
import { frameLatencies } from '../../../harness/analysis/derive/frame-latencies.ts';
import { presentedTimes } from '../../../harness/analysis/derive/presented-times.ts';
import { defineExperiment, type ExperimentDefinition } from '../../../harness/definition/define.ts';
import { controllerSeries } from '../../../harness/record/series/controller.ts';
import { hostSeries } from '../../../harness/record/series/host.ts';
import { pageSeries } from '../../../harness/record/series/page.ts';
import { pingSeries } from '../../../harness/record/series/ping.ts';
import { senderSeries } from '../../../harness/record/series/sender.ts';
import type { TrialRecord } from '../../../harness/record/trial-record.ts';
import type { Seen } from './hold-up-effects.ts';

/** The flagship study's stream, alone. */
export const streamDefinition = (windowS: number): ExperimentDefinition =>
  defineExperiment({
    title: 'Hold-ups',
    question: 'From which length on does a viewer see that a part was held up?',
    source: 'own',
    link: { rate: '40mbit', queue: { limit: '1000packets' } },
    service: { id: 'live-clip', clip: 'high-motion', maxBitrate: '8mbit', controller: { id: 'gcc' } },
    flood: { id: 'none' },
    run: { window: `${windowS}s`, startUp: '3s', preflight: false },
  });

function carriedBytes(bins: readonly { timeMs: number; sentBytes: number }[]): Seen['carried'] {
  const bytes = new Map<number, number>();
  for (const { timeMs, sentBytes } of bins) bytes.set(timeMs, (bytes.get(timeMs) ?? 0) + sentBytes);
  return [...bytes].map(([timeMs, sum]) => ({ timeMs, bytes: sum }));
}

export async function seenIn(record: TrialRecord): Promise<Seen> {
  const [presentedMs, latencies, sender, page, host, controller, pings, carried] = await Promise.all([
    presentedTimes(record),
    frameLatencies(record),
    record.read(senderSeries),
    record.read(pageSeries),
    record.read(hostSeries),
    record.read(controllerSeries),
    record.read(pingSeries),
    record.queueDelay(),
  ]);
  const reading = <T extends { timeMs: number }>(all: readonly T[], ms: (one: T) => number) =>
    all.map(one => ({ timeMs: one.timeMs, ms: ms(one) }));
  return {
    presentedMs,
    latencies,
    targets: controller.map(({ timeMs, targetBps }) => ({ timeMs, bps: Number(targetBps ?? NaN) })),
    roundTrips: pings.flatMap(({ timeMs, rttMs }) => (rttMs === null ? [] : [{ timeMs, ms: rttMs }])),
    carried: carriedBytes(carried),
    readings: {
      senderDelayMs: reading(sender, ({ eventLoopDelayMaxMs }) => eventLoopDelayMaxMs),
      frameLatenessMs: reading(sender, ({ frameLatenessMaxMs }) => frameLatenessMaxMs),
      pageDelayMs: reading(page, ({ mainThreadDelayMaxMs }) => mainThreadDelayMaxMs),
      harnessDelayMs: reading(host, ({ harnessDelayMaxMs }) => harnessDelayMaxMs),
    },
  };
}
