/**
 * Times when a link stood still although packets waited, because the machine had stopped the link. Pure: records in,
 * stops out.
 *
 * A bottleneck with waiting packets sends them without pause. If a packet takes longer than its serialisation time at
 * the link's rate, the link stood still for the difference. Shapers of the kernel and mm-link may hold a packet for
 * longer (ownMs).
 */
import { type Bottleneck, fullFrameBytes } from '../../core/vocabulary/link.ts';
import { meanRateBps } from '../../core/vocabulary/rate-schedule.ts';
import type { QueueLogSource, QueueRecord } from './format.ts';

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
  /** Where the log comes from. Without it: from a link whose packets leave at the end of their transmission. */
  source?: QueueLogSource;
};

/**
 * Returns the time that a packet may wait at the head of the queue, ms. A shaper of the kernel lets a packet leave and
 * makes the next one wait for it (tokens of htb and tbf), so that a ping behind a full packet waits for a full one. mm-link
 * (`capture`) sends at ticks of its clock.
 */
function ownMs(source: QueueLogSource | undefined, packets: { own: number; before: number }, bps: number): number {
  const bytes = { kernel: Math.max(packets.own, packets.before), capture: fullBytes, emulator: packets.own };
  return (bytes[source ?? 'emulator'] * 8000) / bps + (source === 'capture' ? tickedMs : 0);
}

/**
 * Returns the stops in `records`, which are those of one direction in the whole log. Null for a bottleneck that follows
 * a trace, since it has no rate.
 */
export function stopsOf(
  records: Iterable<Pick<QueueRecord, 'event' | 'timeNs' | 'lengthBytes' | 'queuePackets'>>,
  { rateBps, schedule, trace }: Pick<Bottleneck, 'rateBps' | 'schedule' | 'trace'>,
  { unixOffsetMs, fromMs, toMs, source }: Span,
): LinkStop[] | null {
  if (trace !== null) return null;
  const stops: LinkStop[] = [];
  /** Start of the present busy period, Unix ms; undefined while the queue is empty. */
  let busySinceMs: number | undefined;
  /** Length of the packet that left last, bytes. */
  let before = 0;
  for (const { event, timeNs, lengthBytes, queuePackets } of records) {
    const timeMs = timeNs / 1e6 + unixOffsetMs;
    if (event === 'enqueue') busySinceMs ??= timeMs;
    if (event === 'drop' && queuePackets === 0) busySinceMs = undefined;
    if (event !== 'dequeue') continue;
    if (busySinceMs !== undefined && timeMs - busySinceMs > shortestStopMs && timeMs > fromMs && busySinceMs < toMs) {
      const meanBps =
        schedule.length === 0 ? rateBps : meanRateBps({ rateBps, schedule }, busySinceMs - fromMs, timeMs - fromMs);
      const lengthMs = timeMs - busySinceMs - ownMs(source, { own: lengthBytes, before }, meanBps);
      if (lengthMs > shortestStopMs) stops.push({ timeMs: timeMs - lengthMs, lengthMs });
    }
    busySinceMs = queuePackets > 0 ? timeMs : undefined;
    before = lengthBytes;
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
