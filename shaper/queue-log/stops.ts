/**
 * Times when a link stood still although packets waited, because the machine had stopped the link. Pure: records in,
 * stops out.
 *
 * A bottleneck with waiting packets sends them without pause. If a packet takes longer than its serialisation time at
 * the link's rate, the link stood still for the difference. The rule is the same for every backend with a log, but a
 * link with opportunities at ticks of a clock holds any packet until the next opportunity for a full one.
 */
import { type Bottleneck, fullFrameBytes } from '../../core/vocabulary/link.ts';
import { meanRateBps } from '../../core/vocabulary/rate-schedule.ts';
import type { QueueRecord } from './format.ts';

/** Bytes of a full packet as the queue counts it. */
const fullBytes = fullFrameBytes({ bytes: 'ethernet' });

/** A time during which the link stood still. `timeMs`: its start, Unix ms. */
export type LinkStop = { timeMs: number; lengthMs: number };

/**
 * Shortest stop that counts, ms. Shorter ones are late wake-ups, which links make up for
 * (shaper/emulator/native/core/bottleneck.h).
 */
const shortestStopMs = 1;

/**
 * Longest time from an opportunity of mm-link to the departure of its packet, ms: its trace rounds up to a tick of 1 ms,
 * and the program may wake up a tick later.
 */
const tickedMs = 2;

type Span = {
  unixOffsetMs: number;
  /** Window, Unix ms. The link's schedule begins with the window. Stops that overlap the window count. */
  fromMs: number;
  toMs: number;
  /** True for a link that sends at ticks of a clock: mm-link. */
  hasTicks?: boolean;
};

/**
 * Returns the stops in `records`, which are those of one direction in the whole log. Null for a bottleneck that follows
 * a trace, since it has no rate.
 */
export function stopsOf(
  records: Iterable<Pick<QueueRecord, 'event' | 'timeNs' | 'lengthBytes' | 'queuePackets'>>,
  { rateBps, schedule, trace }: Pick<Bottleneck, 'rateBps' | 'schedule' | 'trace'>,
  { unixOffsetMs, fromMs, toMs, hasTicks = false }: Span,
): LinkStop[] | null {
  if (trace !== null) return null;
  const stops: LinkStop[] = [];
  /** Start of the present busy period, Unix ms; undefined while the queue is empty. */
  let busySinceMs: number | undefined;
  for (const { event, timeNs, lengthBytes, queuePackets } of records) {
    const timeMs = timeNs / 1e6 + unixOffsetMs;
    if (event === 'enqueue') busySinceMs ??= timeMs;
    if (event === 'drop' && queuePackets === 0) busySinceMs = undefined;
    if (event !== 'dequeue') continue;
    if (busySinceMs !== undefined && timeMs - busySinceMs > shortestStopMs && timeMs > fromMs && busySinceMs < toMs) {
      const meanBps =
        schedule.length === 0 ? rateBps : meanRateBps({ rateBps, schedule }, busySinceMs - fromMs, timeMs - fromMs);
      const ownMs = hasTicks ? tickedMs + (fullBytes * 8000) / meanBps : (lengthBytes * 8000) / meanBps;
      const lengthMs = timeMs - busySinceMs - ownMs;
      if (lengthMs > shortestStopMs) stops.push({ timeMs: timeMs - lengthMs, lengthMs });
    }
    busySinceMs = queuePackets > 0 ? timeMs : undefined;
  }
  return stops;
}

/** Stops of the link inside a window. */
export type StopsReading = { count: number; longestMs: number; sumMs: number };

export function readingOf(stops: readonly LinkStop[]): StopsReading {
  const lengths = stops.map(({ lengthMs }) => lengthMs);
  return {
    count: stops.length,
    longestMs: lengths.reduce((a, b) => Math.max(a, b), 0),
    sumMs: lengths.reduce((a, b) => a + b, 0),
  };
}
