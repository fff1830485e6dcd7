/**
 * What the loaded BBRv3 tells of its connections, as coexist-bbr3 prints it (telemetry.h); null is "infinite" or "not
 * known yet".
 */
import { CoexistError } from '../../core/errors.ts';
import type { Host } from '../../core/host.ts';
import { JsonLinesChild } from '../../core/json-lines-child.ts';

type Bbr3State = 'startup' | 'drain' | 'down' | 'cruise' | 'refill' | 'up' | 'probe-rtt';

/**
 * Which budget a connection reckons with where its BDP is a few packets (parameters.h): the draft's, whose wait for a
 * probe is as many rounds as the BDP has packets, or that of Google's kernel, whose wait counts the BDP with the room
 * for its bursts.
 */
export const bbr3Budgets = ['draft', 'kernel'] as const;
export type Bbr3Budget = (typeof bbr3Budgets)[number];

/** The model of the path (draft-ietf-ccwg-bbr 2.9), as samples and events both have it. */
type Model = {
  timeMs: number;
  /** Number of the socket since BBRv3 was loaded, from 1. */
  socket: number;
  maxBandwidthBps: number | null;
  shortTermBandwidthBps: number | null;
  pacingBps: number | null;
  minRttMs: number | null;
  congestionWindowPackets: number;
  inFlightPackets: number;
  longTermInFlightPackets: number | null;
  shortTermInFlightPackets: number | null;
  rounds: number;
  deliveredPackets: number;
  lostPackets: number;
};

/** A connection at its last acknowledgment. */
export type Bbr3Sample = Model & {
  version: number;
  budget: Bbr3Budget;
  source: string;
  sourcePort: number;
  destination: string;
  destinationPort: number;
  beginMs: number;
  ended: boolean;
  state: Bbr3State;
  bandwidthBps: number | null;
  rttMs: number | null;
  extraAckedPackets: number;
  /** Round trips in which something was lost. */
  lossRounds: number;
  transitions: number;
  probeRttEpisodes: number;
  acknowledgments: number;
  /** Acknowledgments for which it was known what was in flight when the packet was sent, and those for which not. */
  ringHits: number;
  ringMisses: number;
  lostPacketsSeen: number;
};

/** Something that happened, and the state before and after it (phases.h). */
export type Bbr3Event = Model & {
  number: number;
  event: string;
  from: Bbr3State;
  to: Bbr3State;
  pacingGainPercent: number;
  /** How long DOWN and CRUISE wait at most. */
  probeWaitMs: number;
};

export type Bbr3Identity = {
  version: number;
  draft: string;
  /** Of the object file; null where whoever loaded it by hand did not tell. */
  objectSha256: string | null;
  budget: Bbr3Budget;
  telemetry: boolean;
  congControlArguments: number;
};
export type Bbr3Counters = { sockets: number; storeFailures: number; events: number };
export type Bbr3Dump = Bbr3Identity & { counters: Bbr3Counters; sockets: Bbr3Sample[]; events: Bbr3Event[] };

type Line = { sample?: Bbr3Sample; event?: Bbr3Event; counters?: Bbr3Counters };

export type Bbr3Watch = { failed: Promise<never>; stop(): Promise<void> };

/**
 * Starts to read telemetry; times are on the harness's clock. The first thing told are the counters. It reads the BBRv3
 * that is registered when it starts, for as long as anybody uses that. `failed` rejects when the reading ends before
 * `stop`.
 */
export function watchBbr3(
  host: Host,
  loader: string,
  intervalMs: number,
  on: { sample(sample: Bbr3Sample): void; event(event: Bbr3Event): void; counters(counters: Bbr3Counters): void },
): Bbr3Watch {
  const child = host.start('BBRv3 telemetry', [loader, 'watch', '--monotonic', '--interval', String(intervalMs)], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  /** CLOCK_MONOTONIC of the host, ms -> Unix ms of the harness's clock. */
  const fromMonotonic = (timeMs: number) => timeMs + host.clocks().monotonicOffsetMs;
  const onLine = ({ sample, event, counters }: Line) => {
    if (counters !== undefined) on.counters(counters);
    if (sample !== undefined)
      on.sample({ ...sample, timeMs: fromMonotonic(sample.timeMs), beginMs: fromMonotonic(sample.beginMs) });
    if (event !== undefined) on.event({ ...event, timeMs: fromMonotonic(event.timeMs) });
  };
  const { failed } = new JsonLinesChild<Line>(child, {
    name: "the reading of BBRv3's telemetry",
    code: 'service-failed',
    onLine,
    ended: ({ lastWords }) =>
      new CoexistError('service-failed', `the reading of BBRv3's telemetry ended: ${lastWords}`),
  });
  return { failed, stop: () => child.stop() };
}
