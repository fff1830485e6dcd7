/**
 * Finds links that carried less than their rate while packets waited. Preflight proves the rate before the trial.
 * During a trial the machine may delay the shaper many times by less than a millisecond, which is too short for a link
 * stop.
 */
import { bottleneckName } from '../../core/vocabulary/hops.ts';
import { inDirection, type Link } from '../../core/vocabulary/link.ts';
import { meanRateBps } from '../../core/vocabulary/rate-schedule.ts';
import type { QueueDelayRecord } from '../record/series/queue-delay.ts';
import type { Finding } from '../record/trial-file.ts';
import type { Window } from '../record/trial-record.ts';

/** Smallest share of the link's rate that a link may carry while packets wait. A smaller share is a finding. */
const leastRateRatio = 0.97;
/** Length of a stretch (a bin of the series of queue delays), ms. */
const stretchMs = 100;
/** Shortest median delay in a stretch, ms, from which the queue is taken not to become empty. */
const waitingMs = 20;
/** Fewest stretches with waiting packets for a finding. */
const leastStretches = 10;

type Stretch = { sentBytes: number; delayMs: number };

/**
 * Returns the stretches of the series by time. `sentBytes`: bytes that left, plus an estimate of the bytes that random
 * loss removed after the rate limit. `delayMs`: median delay of the flow that waited longest.
 */
function stretches(delays: readonly QueueDelayRecord[]): Map<number, Stretch> {
  const found = new Map<number, Stretch>();
  for (const { timeMs, sentPackets, sentBytes, droppedPackets, delayMedianMs } of delays) {
    const one = found.get(timeMs) ?? { sentBytes: 0, delayMs: 0 };
    one.sentBytes += sentPackets === 0 ? 0 : (sentBytes * (sentPackets + droppedPackets['random-loss'])) / sentPackets;
    one.delayMs = Math.max(one.delayMs, delayMedianMs ?? 0);
    found.set(timeMs, one);
  }
  return found;
}

/** `at`: place of the bottleneck in the row, see `bottleneckName`. */
export function slowLinkFindings(
  delays: readonly QueueDelayRecord[],
  link: Link,
  { startMs, endMs }: Window,
  at: { hop?: number } = {},
): Finding[] {
  const directions = link.up === null ? (['down'] as const) : (['down', 'up'] as const);
  return directions.flatMap((direction): Finding[] => {
    const own = inDirection(link, direction);
    if (own.trace !== null) return [];
    const waited = [...stretches(delays.filter(bin => (bin.direction ?? 'down') === direction))].filter(
      // `timeMs` is the middle of the stretch
      ([timeMs, { delayMs }]) =>
        delayMs >= waitingMs && timeMs - stretchMs / 2 >= startMs && timeMs + stretchMs / 2 <= endMs,
    );
    if (waited.length < leastStretches) return [];
    const couldBytes = waited.reduce((sum, [timeMs]) => {
      const fromMs = timeMs - stretchMs / 2 - startMs;
      return sum + (meanRateBps(own, fromMs, fromMs + stretchMs) * stretchMs) / 8000;
    }, 0);
    const ratio = waited.reduce((sum, [, { sentBytes }]) => sum + sentBytes, 0) / couldBytes;
    if (ratio >= leastRateRatio) return [];
    const name = bottleneckName({ ...at, direction });
    const percent = (ratio * 100).toFixed(1);
    const message = `${name} carried ${percent} % of its rate while packets waited for it: the machine held up what forms it`;
    return [{ kind: 'link', status: 'note', message }];
  });
}
