/**
 * What else the record tells of a moment: how punctual each part of the host was, what the bottleneck carried, the
 * round trip.
 */
import { highestRateBps, meanRateBps } from '../../../../core/vocabulary/rate-schedule.ts';
import { callerSeries } from '../../../record/series/caller.ts';
import { hostSeries } from '../../../record/series/host.ts';
import type { LinkStopRecord } from '../../../record/series/link-stops.ts';
import { pageSeries } from '../../../record/series/page.ts';
import type { QueueDelayRecord } from '../../../record/series/queue-delay.ts';
import { type RoundTripRecord, roundTripSeries } from '../../../record/series/rtt.ts';
import { senderSeries } from '../../../record/series/sender.ts';
import { type TunnelRecord, tunnelSeries } from '../../../record/series/tunnel.ts';
import type { StreamRecord, Window } from '../../../record/trial-record.ts';
import { type TunnelState, tunnelState } from './tunnel-state.ts';

/** What left the bottleneck in a stretch of time. */
type Carried = Pick<QueueDelayRecord, 'timeMs' | 'sentBytes'>;
type Reading = { timeMs: number; value: number };

/** A part that was held up tells of it when it goes on again: its reading may come this much later, ms. */
const readingLagMs = 100;
/** Time that a series' first reading tells of, ms. */
const readingIntervalMs = 1000;
/** Of queue-delay.jsonl, ms. */
const binMs = 100;
/** A stretch of the queue's account is too short to tell a rate from, ms. */
const shortestMs = 50;

/**
 * The longest delay, or part of a delay, that can have lain in [fromMs, toMs]; 0 where there is none. A reading gives
 * the length of its delay, which ended between the previous reading (or shortly before it) and this one. A delay
 * elsewhere in that second explains nothing here.
 */
function peak(readings: readonly Reading[], fromMs: number, toMs: number): number {
  let largest = 0;
  for (const [i, { timeMs, value }] of readings.entries()) {
    const sinceMs = readings[i - 1]?.timeMs ?? timeMs - readingIntervalMs;
    const endMs = Math.max(sinceMs - readingLagMs, Math.min(toMs, timeMs)); // the end by which most of it lies there
    largest = Math.max(largest, Math.min(endMs, toMs) - Math.max(endMs - value, fromMs));
  }
  return largest;
}

/**
 * The most that the bottleneck carried in any stretch, of all senders: what a link that follows a trace is measured by.
 */
function busiestBps(bins: readonly Carried[]): number {
  const bytes = new Map<number, number>();
  for (const { timeMs, sentBytes } of bins) bytes.set(timeMs, (bytes.get(timeMs) ?? 0) + sentBytes);
  return ([...bytes.values()].reduce((a, b) => Math.max(a, b), 0) * 8000) / binMs;
}

/**
 * What the bottleneck carried, its share of the most that it was meant to, and the mean that its schedule gave it just
 * then: null of a trace, which has no rate.
 */
type Load = { bps: number; ratio: number; scheduledBps: number | null };

export class Surroundings {
  readonly #sender: readonly Reading[];
  readonly #page: readonly Reading[];
  readonly #machine: readonly Reading[];
  readonly #bins: readonly Carried[];
  readonly #linkStops: readonly LinkStopRecord[];
  readonly #roundTrips: readonly RoundTripRecord[];
  readonly #tunnel: readonly TunnelRecord[];
  readonly #window: Window;
  readonly #originMs: number;
  readonly #link: StreamRecord['link'];
  /** Of a link that follows a trace. */
  readonly #busiestBps: number | null;
  /** Random losses happen behind the queue, where its log may not see them. */
  readonly losesBehindQueue: boolean;
  /** False where the sender is a browser, which tells nothing of single frames. */
  readonly knowsSender: boolean;

  private constructor(
    record: StreamRecord,
    series: {
      sender: Reading[];
      page: Reading[];
      machine: Reading[];
      bins: Carried[];
      linkStops: LinkStopRecord[];
      roundTrips: RoundTripRecord[];
      tunnel: TunnelRecord[];
      knowsSender: boolean;
    },
  ) {
    this.#sender = series.sender;
    this.#page = series.page;
    this.#machine = series.machine;
    this.#bins = series.bins;
    this.#linkStops = series.linkStops;
    this.#roundTrips = series.roundTrips;
    this.#tunnel = series.tunnel;
    this.#window = record.window;
    this.#originMs = record.originMs;
    const { link } = record;
    this.#link = link;
    this.#busiestBps = link.trace === null ? null : busiestBps(series.bins);
    this.losesBehindQueue = link.loss?.where === 'after';
    this.knowsSender = series.knowsSender;
  }

  static async of(record: StreamRecord): Promise<Surroundings> {
    const [sender, caller, page, host, bins, linkStops, roundTrips, tunnel] = await Promise.all([
      record.read(senderSeries),
      record.read(callerSeries),
      record.read(pageSeries),
      record.read(hostSeries),
      record.queueDelay(),
      record.linkStops(),
      record.read(roundTripSeries),
      record.read(tunnelSeries),
    ]);
    return new Surroundings(record, {
      sender: [
        ...sender.map(({ timeMs, eventLoopDelayMaxMs }) => ({ timeMs, value: eventLoopDelayMaxMs })),
        ...caller.map(({ timeMs, mainThreadDelayMaxMs }) => ({ timeMs, value: mainThreadDelayMaxMs })),
      ],
      page: page.map(({ timeMs, mainThreadDelayMaxMs }) => ({ timeMs, value: mainThreadDelayMaxMs })),
      machine: host.map(({ timeMs, wakeUpDelayMaxMs }) => ({ timeMs, value: wakeUpDelayMaxMs })),
      bins,
      linkStops,
      roundTrips: roundTrips.filter(({ from }) => from === 'report'),
      tunnel: tunnel.filter(({ end }) => end === 'server'),
      knowsSender: sender.length > 0,
    });
  }

  /** Longest time that the sender's timers were held up around then, ms. */
  senderDelayMs(fromMs: number, toMs: number): number {
    return peak(this.#sender, fromMs, toMs);
  }

  /** The same of the page's main thread. */
  pageDelayMs(fromMs: number, toMs: number): number {
    return peak(this.#page, fromMs, toMs);
  }

  /** The same of a thread that only sleeps: what anything on this machine may have met. */
  machineDelayMs(fromMs: number, toMs: number): number {
    return peak(this.#machine, fromMs, toMs);
  }

  /** Time that the link stood still between two moments, ms. */
  linkStoppedMs(fromMs: number, toMs: number): number {
    return this.#linkStops.reduce(
      (sum, { timeMs, lengthMs }) => sum + Math.max(0, Math.min(toMs, timeMs + lengthMs) - Math.max(fromMs, timeMs)),
      0,
    );
  }

  /**
   * What left the bottleneck, of all senders, and its share of the highest rate that the link was meant to have since
   * `sinceMs`; null where the log does not tell. A link that lost its capacity in between is measured by what it had.
   */
  carried(fromMs: number, toMs: number, sinceMs: number): Load | null {
    const from = Math.max(fromMs, this.#window.startMs);
    const to = Math.min(toMs, this.#window.endMs);
    if (this.#bins.length === 0 || to - from < shortestMs) return null;
    let bytes = 0;
    for (const { timeMs, sentBytes } of this.#bins) {
      const insideMs = Math.min(to, timeMs + binMs / 2) - Math.max(from, timeMs - binMs / 2);
      if (insideMs > 0) bytes += (sentBytes * insideMs) / binMs;
    }
    const bps = (bytes * 8000) / (to - from);
    const scheduledBps =
      this.#busiestBps === null ? meanRateBps(this.#link, from - this.#originMs, to - this.#originMs) : null;
    return {
      bps,
      scheduledBps,
      ratio:
        bps /
        (this.#busiestBps ?? highestRateBps(this.#link, Math.min(sinceMs, from) - this.#originMs, to - this.#originMs)),
    };
  }

  /** The sending end of the application's tunnel; null without one, or where it does not tell of that time. */
  tunnel(fromMs: number, toMs: number): TunnelState | null {
    return tunnelState(this.#tunnel, fromMs, toMs);
  }

  /** The round trip that was measured last before then, ms; null before the first. */
  roundTripMs(atMs: number): number | null {
    return this.#roundTrips.findLast(({ timeMs }) => timeMs <= atMs)?.rttMs ?? null;
  }
}
