/**
 * When a link stood still although packets waited: the machine had stopped what forms it. Pure: records in, stops out.
 *
 * A bottleneck that has packets sends one after the other. What it takes longer for one than the packet's own time at the
 * link's rate, it stood still. The same rule holds for every backend that has a log.
 */
import type { Bottleneck } from '../../core/vocabulary/link.ts';
import { meanRateBps } from '../../core/vocabulary/rate-schedule.ts';
import type { QueueRecord } from './format.ts';

/** From when it stood still, Unix ms, and for how long. */
export type LinkStop = { timeMs: number; lengthMs: number };

/** What is shorter is a late wake-up: links make up for that (shaper/emulator/native/core/bottleneck.h). */
const shortestStopMs = 1;

type Span = {
  unixOffsetMs: number;
  /** The window, Unix ms: the link's schedule begins with it, and stops count that overlap it. */
  fromMs: number;
  toMs: number;
};

/** `records`: of one direction, of the whole log. Null of a bottleneck that follows a trace: it has no rate. */
export function stopsOf(
  records: Iterable<Pick<QueueRecord, 'event' | 'timeNs' | 'lengthBytes' | 'queuePackets'>>,
  { rateBps, schedule, trace }: Pick<Bottleneck, 'rateBps' | 'schedule' | 'trace'>,
  { unixOffsetMs, fromMs, toMs }: Span,
): LinkStop[] | null {
  if (trace !== null) return null;
  const stops: LinkStop[] = [];
  /** Since when there has been something to send. */
  let busySinceMs: number | undefined;
  for (const { event, timeNs, lengthBytes, queuePackets } of records) {
    const timeMs = timeNs / 1e6 + unixOffsetMs;
    if (event === 'enqueue') busySinceMs ??= timeMs;
    if (event === 'drop' && queuePackets === 0) busySinceMs = undefined;
    if (event !== 'dequeue') continue;
    if (busySinceMs !== undefined && timeMs - busySinceMs > shortestStopMs && timeMs > fromMs && busySinceMs < toMs) {
      const meanBps =
        schedule.length === 0 ? rateBps : meanRateBps({ rateBps, schedule }, busySinceMs - fromMs, timeMs - fromMs);
      const ownMs = (lengthBytes * 8000) / meanBps;
      const lengthMs = timeMs - busySinceMs - ownMs;
      if (lengthMs > shortestStopMs) stops.push({ timeMs: timeMs - lengthMs, lengthMs });
    }
    busySinceMs = queuePackets > 0 ? timeMs : undefined;
  }
  return stops;
}

/** How long the link stood still inside a window. */
export type StopsReading = { count: number; longestMs: number; sumMs: number };

export function readingOf(stops: readonly LinkStop[]): StopsReading {
  const lengths = stops.map(({ lengthMs }) => lengthMs);
  return {
    count: stops.length,
    longestMs: lengths.reduce((a, b) => Math.max(a, b), 0),
    sumMs: lengths.reduce((a, b) => a + b, 0),
  };
}
