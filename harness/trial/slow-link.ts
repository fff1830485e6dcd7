/**
 * Whether a link carried its rate while packets waited for it. Preflight proves that before the trial; in a trial the
 * machine may hold up what forms the link by less than a millisecond at a time, over and over, which no stop shows.
 */
import { inDirection, type Link } from '../../core/vocabulary/link.ts';
import { meanRateBps } from '../../core/vocabulary/rate-schedule.ts';
import type { QueueDelayRecord } from '../record/series/queue-delay.ts';
import type { Finding } from '../record/trial-file.ts';
import type { Window } from '../record/trial-record.ts';

/** Below this share of its rate a link that had packets all the time is said to be slow. */
const leastRateRatio = 0.97;
/** Of a stretch of the series. */
const stretchMs = 100;
/** A queue in which half of the packets of a flow wait for longer is not empty in between, ms. */
const waitingMs = 20;
/** Fewer stretches say nothing. */
const leastStretches = 10;

type Stretch = { sentBytes: number; delayMs: number };

/** Bytes that left, with those that a random loss took behind the rate, and the delay of the flow that waited longest. */
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

export function slowLinkFindings(
  delays: readonly QueueDelayRecord[],
  link: Link,
  { startMs, endMs }: Window,
): Finding[] {
  const directions = link.up === null ? (['down'] as const) : (['down', 'up'] as const);
  return directions.flatMap((direction): Finding[] => {
    const own = inDirection(link, direction);
    if (own.trace !== null) return [];
    const waited = [...stretches(delays.filter(bin => (bin.direction ?? 'down') === direction))].filter(
      // its time is that of its middle
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
    const name = direction === 'up' ? 'the link from the clients' : 'the link';
    const percent = (ratio * 100).toFixed(1);
    const message = `${name} carried ${percent} % of its rate while packets waited for it: the machine held up what forms it`;
    return [{ kind: 'link', status: 'note', message }];
  });
}
