/** Delays of the hosts, load of the bottleneck and round trip around a moment, from the series of a record. */
import { highestRateBps, meanRateBps } from '../../../../core/vocabulary/rate-schedule.ts';
import { callerSeries } from '../../../record/series/caller.ts';
import { hostSeries } from '../../../record/series/host.ts';
import type { LinkStopRecord } from '../../../record/series/link-stops.ts';
import { pageSeries } from '../../../record/series/page.ts';
import type { QueueDelayRecord } from '../../../record/series/queue-delay.ts';
import { type RoundTripRecord, roundTripSeries } from '../../../record/series/rtt.ts';
import { senderSeries } from '../../../record/series/sender.ts';
import { type TunnelRecord, tunnelSeries } from '../../../record/series/tunnel.ts';
import type { OwnBottleneck, StreamRecord, Window } from '../../../record/trial-record.ts';
import { type TunnelState, tunnelState } from './tunnel-state.ts';

/** Bytes that left the bottleneck in one interval of the queue log. */
type Carried = Pick<QueueDelayRecord, 'timeMs' | 'sentBytes'>;
type Reading = { timeMs: number; value: number };

/**
 * Longest time from the end of a hold-up to the reading that reports it, ms. A program that was held up reports this
 * when it runs again.
 */
const readingLagMs = 100;
/** Time that the first reading of a series is assumed to cover, ms. */
const readingIntervalMs = 1000;
/** Length of the intervals of queue-delay.jsonl, ms. */
const binMs = 100;
/** Shortest time over which a rate is computed, ms. */
const shortestMs = 50;

/**
 * Returns the longest part of a delay that can lie in [fromMs, toMs], ms; 0 if none can. A reading gives the length of
 * a delay that ended between the previous reading (or shortly before that reading) and this one. A delay that can only
 * lie outside of [fromMs, toMs] does not count.
 */
function peak(readings: readonly Reading[], fromMs: number, toMs: number): number {
  let largest = 0;
  for (const [i, { timeMs, value }] of readings.entries()) {
    const sinceMs = readings[i - 1]?.timeMs ?? timeMs - readingIntervalMs;
    const endMs = Math.max(sinceMs - readingLagMs, Math.min(toMs, timeMs)); // end with the largest overlap
    largest = Math.max(largest, Math.min(endMs, toMs) - Math.max(endMs - value, fromMs));
  }
  return largest;
}

/**
 * Returns the highest rate in any interval, summed over all senders, bit/s. A link that follows a trace is compared
 * with this rate.
 */
function busiestBps(bins: readonly Carried[]): number {
  const bytes = new Map<number, number>();
  for (const { timeMs, sentBytes } of bins) bytes.set(timeMs, (bytes.get(timeMs) ?? 0) + sentBytes);
  return ([...bytes.values()].reduce((a, b) => Math.max(a, b), 0) * 8000) / binMs;
}

/**
 * `bps`: rate that the bottleneck carried. `ratio`: `bps` as a share of the highest planned rate. `scheduledBps`: mean
 * planned rate in the same time; null for a trace, which plans no rate.
 */
type Load = { bps: number; ratio: number; scheduledBps: number | null };

/** Bottleneck with its series. */
type Bottleneck = Pick<OwnBottleneck, 'hop' | 'name' | 'link'> & {
  bins: readonly Carried[];
  stops: readonly LinkStopRecord[];
  /** Highest rate in any interval for a link that follows a trace; null for any other link. */
  busiestBps: number | null;
};

async function readBottleneck({ hop, name, link, queueDelay, linkStops }: OwnBottleneck): Promise<Bottleneck> {
  const [bins, stops] = await Promise.all([queueDelay(), linkStops()]);
  return { hop, name, link, bins, stops, busiestBps: link.trace === null ? null : busiestBps(bins) };
}

export class Surroundings {
  readonly #sender: readonly Reading[];
  readonly #page: readonly Reading[];
  readonly #machine: readonly Reading[];
  readonly #row: readonly Bottleneck[];
  readonly #roundTrips: readonly RoundTripRecord[];
  readonly #tunnel: readonly TunnelRecord[];
  readonly #window: Window;
  readonly #originMs: number;
  /** True if random losses happen behind a queue, so that the queue log may not see them. */
  readonly losesBehindQueue: boolean;
  /** False if the sender is a browser, which does not report single frames. */
  readonly knowsSender: boolean;

  private constructor(
    record: StreamRecord,
    series: {
      sender: Reading[];
      page: Reading[];
      machine: Reading[];
      row: Bottleneck[];
      roundTrips: RoundTripRecord[];
      tunnel: TunnelRecord[];
      knowsSender: boolean;
    },
  ) {
    this.#sender = series.sender;
    this.#page = series.page;
    this.#machine = series.machine;
    this.#row = series.row;
    this.#roundTrips = series.roundTrips;
    this.#tunnel = series.tunnel;
    this.#window = record.window;
    this.#originMs = record.originMs;
    this.losesBehindQueue = series.row.some(({ link }) => link.loss?.where === 'after');
    this.knowsSender = series.knowsSender;
  }

  static async of(record: StreamRecord): Promise<Surroundings> {
    const [sender, caller, page, host, row, roundTrips, tunnel] = await Promise.all([
      record.read(senderSeries),
      record.read(callerSeries),
      record.read(pageSeries),
      record.read(hostSeries),
      Promise.all(record.row.map(readBottleneck)),
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
      row,
      roundTrips: roundTrips.filter(({ from }) => from === 'report'),
      tunnel: tunnel.filter(({ end }) => end === 'server'),
      knowsSender: sender.length > 0,
    });
  }

  /** Longest delay of the sender's timers in the interval, ms. */
  senderDelayMs(fromMs: number, toMs: number): number {
    return peak(this.#sender, fromMs, toMs);
  }

  /** Longest delay of the page's main thread in the interval, ms. */
  pageDelayMs(fromMs: number, toMs: number): number {
    return peak(this.#page, fromMs, toMs);
  }

  /**
   * Longest delay of a thread that only sleeps, in the interval, ms. Every process of this machine may have had the
   * same delay.
   */
  machineDelayMs(fromMs: number, toMs: number): number {
    return peak(this.#machine, fromMs, toMs);
  }

  /** Time that bottlenecks of the row stood still in the interval, ms. */
  linkStoppedMs(fromMs: number, toMs: number): number {
    return this.#row
      .flatMap(({ stops }) => stops)
      .reduce(
        (sum, { timeMs, lengthMs }) => sum + Math.max(0, Math.min(toMs, timeMs + lengthMs) - Math.max(fromMs, timeMs)),
        0,
      );
  }

  /** Returns the name of a bottleneck, "the link" if it is the only one. */
  bottleneck(hop = 1): string {
    return this.#row.find(one => one.hop === hop)?.name ?? 'the link';
  }

  /**
   * Rate at which the traffic of all senders left a bottleneck, also as a share of the highest planned rate since
   * `sinceMs`. Null if the log does not cover the time. `hop`: place in the row. The highest rate includes rates planned earlier, because a link
   * that lost capacity meanwhile has to be compared with its former rate.
   */
  carried(fromMs: number, toMs: number, sinceMs: number, hop = 1): Load | null {
    const place = this.#row.find(one => one.hop === hop);
    const from = Math.max(fromMs, this.#window.startMs);
    const to = Math.min(toMs, this.#window.endMs);
    if (place === undefined || place.bins.length === 0 || to - from < shortestMs) return null;
    let bytes = 0;
    for (const { timeMs, sentBytes } of place.bins) {
      const insideMs = Math.min(to, timeMs + binMs / 2) - Math.max(from, timeMs - binMs / 2);
      if (insideMs > 0) bytes += (sentBytes * insideMs) / binMs;
    }
    const bps = (bytes * 8000) / (to - from);
    const scheduledBps =
      place.busiestBps === null ? meanRateBps(place.link, from - this.#originMs, to - this.#originMs) : null;
    return {
      bps,
      scheduledBps,
      ratio:
        bps /
        (place.busiestBps ?? highestRateBps(place.link, Math.min(sinceMs, from) - this.#originMs, to - this.#originMs)),
    };
  }

  /** State of the tunnel's sending end; null without a tunnel or without reports for that time. */
  tunnel(fromMs: number, toMs: number): TunnelState | null {
    return tunnelState(this.#tunnel, fromMs, toMs);
  }

  /** Last round trip measured before `atMs`, ms; null if none was measured before. */
  roundTripMs(atMs: number): number | null {
    return this.#roundTrips.findLast(({ timeMs }) => timeMs <= atMs)?.rttMs ?? null;
  }
}
