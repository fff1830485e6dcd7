/**
 * How the rate of a stream went in one trial, from what the queue and the browser saw of it: the same of whatever
 * sender.
 *
 * The log of the queue has each RTP packet of the whole trial without its length: before the window a packet counts as
 * long as those of the window are on average. At 1 Mbit/s, where frames are few packets, a second's rate may be a
 * tenth off by that.
 */
import { ratePerBin } from '../../../core/stats/binned.ts';
import { ascending, median, quantile } from '../../../core/stats/quantile.ts';
import { largestOf, trafficOf } from '../../../harness/analysis/derive/queue-traffic.ts';
import { mediaBytes } from '../../../harness/analysis/derive/rates.ts';
import type { MediaQueueRecord } from '../../../harness/record/series/queue.media.ts';
import { mediaQueueSeries } from '../../../harness/record/series/queue.media.ts';
import type { QueueDelayRecord } from '../../../harness/record/series/queue-delay.ts';
import type { TrialRecord } from '../../../harness/record/trial-record.ts';

const secondMs = 1000;
/** What the queue's summary is divided into, ms. */
const binMs = 100;
/** A link that carries this share of its rate is full. */
export const fullRatio = 0.85;
/** A queue below this is in order, ms: in a limit as 95th percentile, after a step as median of a second. */
export const mostQueueMs = 100;

export type Course = {
  /** From the first packet of the stream to the end of the first second that fills the link; null where none does. */
  rampUpMs: number | null;
  /**
   * Media bytes of the window's seconds, bit/s: 5th, 50th and 95th percentile; null where the browser did not count
   * them.
   */
  rateBps: readonly (number | null)[];
  /** How each step of the link's rate was taken. */
  steps: readonly StepTaken[];
};

/**
 * From the step to the end of the first second with the queue in order, and of the first one that fills the link as
 * well; null where there is none before the next step.
 */
export type StepTaken = { orderMs: number | null; fullMs: number | null };

/** When packets left the queue, in order. */
function departures(lines: readonly MediaQueueRecord[]): number[] {
  return ascending(
    lines.flatMap(({ timeMs, offeredMs, sojournMs, dropped }) => {
      const gone = new Set(dropped.map(({ index }) => index));
      return offeredMs.flatMap((offered, i) =>
        sojournMs[i] === null || gone.has(i) ? [] : [timeMs + offered + sojournMs[i]!],
      );
    }),
  );
}

/** Departures sorted; `packets`: so many in a second fill the link. */
export function rampUpMs(departuresMs: readonly number[], packets: number): number | null {
  const first = departuresMs[0];
  let from = 0;
  for (const [to, time] of departuresMs.entries()) {
    while (time - departuresMs[from]! >= secondMs) from++;
    if (to - from + 1 >= packets) return Math.max(secondMs, time - first!);
  }
  return null;
}

/** `bins`: of the media, with times from the step on; `lastMs`: when the next step is due. */
export function stepTaken(
  bins: readonly Pick<QueueDelayRecord, 'timeMs' | 'sentBytes' | 'delayMedianMs'>[],
  rateBps: number,
  lastMs: number,
): StepTaken {
  let inOrderMs: number | null = null;
  for (let endMs = secondMs; endMs <= lastMs; endMs += binMs) {
    const within = bins.filter(({ timeMs }) => timeMs >= endMs - secondMs && timeMs < endMs);
    const bps = (within.reduce((sum, { sentBytes }) => sum + sentBytes, 0) * 8000) / secondMs;
    const delayMs = median(within.flatMap(({ delayMedianMs }) => delayMedianMs ?? []));
    if (delayMs === undefined || delayMs >= mostQueueMs) continue;
    inOrderMs ??= endMs;
    if (bps >= fullRatio * rateBps) return { orderMs: inOrderMs, fullMs: endMs };
  }
  return { orderMs: inOrderMs, fullMs: null };
}

export async function courseOf(record: TrialRecord): Promise<Course> {
  const { window, link, file } = record;
  const traffic = largestOf(file.queueLog, [record]);
  const seconds = ratePerBin(await mediaBytes(record), window, secondMs).flatMap(bytes =>
    bytes === null ? [] : [bytes * 8],
  );
  const media = (await record.queueDelay()).filter(trafficOf([record]));
  const fullPackets =
    traffic === undefined
      ? Infinity
      : (fullRatio * link.rateBps * secondMs) / 8000 / (traffic.sentBytes / traffic.sentPackets);
  return {
    rampUpMs: rampUpMs(departures(await record.read(mediaQueueSeries)), fullPackets),
    rateBps: [0.05, 0.5, 0.95].map(p => quantile(seconds, p) ?? null),
    steps: link.schedule.map(({ atMs, rateBps }, k) => {
      const fromMs = window.startMs + atMs;
      const lastMs = (link.schedule[k + 1]?.atMs ?? window.endMs - window.startMs) - atMs;
      return stepTaken(
        media.map(bin => ({ ...bin, timeMs: bin.timeMs - fromMs })),
        rateBps,
        lastMs,
      );
    }),
  };
}
