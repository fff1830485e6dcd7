/**
 * Reader of the telemetry that coexist-bbr3 prints about the connections of the loaded BBRv3 (telemetry.h). A value is
 * null if it is infinite or not known yet.
 */
import { CoexistError } from '../../core/errors.ts';
import { checkTold, z } from '../../core/schema/schema.ts';
import type { Host } from '../../core/system/host.ts';
import { JsonLinesChild } from '../../core/system/json-lines-child.ts';

/**
 * Ways in which BBRv3 treats a connection whose BDP is a few packets (parameters.h). With `draft`, the wait for a probe
 * is as many rounds as the BDP has packets. With `kernel`, as in Google's kernel, the BDP for this wait includes the
 * room for bursts.
 */
export const bbr3Budgets = ['draft', 'kernel'] as const;
export type Bbr3Budget = (typeof bbr3Budgets)[number];

const state = z.enum(['startup', 'drain', 'down', 'cruise', 'refill', 'up', 'probe-rtt']);

const count = z.int().min(0);
/** A number from 0, not necessarily an integer: 64 bits of bytes per second, as bit/s, may exceed the safe integers. */
const amount = z.number().min(0);
/** Time of CLOCK_MONOTONIC, ms. The limit is about thirty years of uptime. */
const time = amount.max(1e12);
const word = z.string().max(64);
const budget = z.enum(bbr3Budgets);

/** Fields of the path model (draft-ietf-ccwg-bbr 2.9), common to samples and events. */
const model = {
  timeMs: time,
  /** Number of the socket, counted from 1 since BBRv3 was loaded. */
  socket: count,
  maxBandwidthBps: amount.nullable(),
  shortTermBandwidthBps: amount.nullable(),
  pacingBps: amount.nullable(),
  minRttMs: amount.nullable(),
  congestionWindowPackets: count,
  inFlightPackets: count,
  longTermInFlightPackets: count.nullable(),
  shortTermInFlightPackets: count.nullable(),
  rounds: count,
  deliveredPackets: count,
  lostPackets: count,
};

/** State of a connection at its last acknowledgment. */
const sample = z.object({
  ...model,
  version: count,
  budget,
  source: z.ipv4(),
  sourcePort: z.int().min(0).max(65535),
  destination: z.ipv4(),
  destinationPort: z.int().min(0).max(65535),
  beginMs: time,
  ended: z.boolean(),
  state,
  bandwidthBps: amount.nullable(),
  rttMs: amount.nullable(),
  extraAckedPackets: count,
  lossRounds: count,
  transitions: count,
  probeRttEpisodes: count,
  acknowledgments: count,
  /**
   * Number of acknowledgments for which BBRv3 knew the data in flight at sending (`ringHits`), and number of those for
   * which it did not.
   */
  ringHits: count,
  ringMisses: count,
  lostPacketsSeen: count,
});
export type Bbr3Sample = z.output<typeof sample>;

/** An event, with the state of the connection before and after the event (phases.h). */
const event = z.object({
  ...model,
  number: count,
  event: word,
  from: state,
  to: state,
  pacingGainPercent: count,
  /** Longest time that a connection spent in DOWN and CRUISE before the next probe, ms. */
  probeWaitMs: amount,
});
export type Bbr3Event = z.output<typeof event>;

export const bbr3Identity = z.object({
  version: count,
  draft: word,
  /** SHA-256 of the object file that was loaded; null if BBRv3 was loaded by hand without that hash. */
  objectSha256: z.hash('sha256').nullable(),
  budget,
  telemetry: z.boolean(),
  /** True if BBRv3 was loaded for runs; its last holder then removes it. */
  forRuns: z.boolean(),
  congControlArguments: count,
});
export type Bbr3Identity = z.output<typeof bbr3Identity>;

const counters = z.object({ sockets: count, storeFailures: count, events: count });
export type Bbr3Counters = z.output<typeof counters>;

/** Schema of a line. A line has one of these fields, or the number of missed events, which this module ignores. */
const line = z.object({ sample: sample.optional(), event: event.optional(), counters: counters.optional() });

/** Parses a line of telemetry. `host`: its name is for messages. Throws `service-failed` if the line is not valid. */
export const readTelemetry = (said: unknown, { name }: Pick<Host, 'name'>): z.output<typeof line> =>
  checkTold(line, said, `BBRv3's telemetry on ${name}`, 'service-failed');

export type Bbr3Watch = { failed: Promise<never>; stop(): Promise<void> };

/**
 * Reads the telemetry of the BBRv3 that is registered at the call, as long as BBRv3 is in use. The first line contains
 * the counters. Times are converted to the harness's clock. `failed` rejects when the reader ends before `stop`.
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
  /** Converts a time of the host's CLOCK_MONOTONIC, ms, to Unix ms of the harness's clock. */
  const fromMonotonic = (timeMs: number) => timeMs + host.clocks().monotonicOffsetMs;
  const onLine = ({ sample, event, counters }: z.output<typeof line>) => {
    if (counters !== undefined) on.counters(counters);
    if (sample !== undefined)
      on.sample({ ...sample, timeMs: fromMonotonic(sample.timeMs), beginMs: fromMonotonic(sample.beginMs) });
    if (event !== undefined) on.event({ ...event, timeMs: fromMonotonic(event.timeMs) });
  };
  const { failed } = new JsonLinesChild<z.output<typeof line>>(child, {
    name: `the reading of BBRv3's telemetry on ${host.name}`,
    code: 'service-failed',
    read: said => readTelemetry(said, host),
    onLine,
    ended: ({ lastWords }) =>
      new CoexistError('service-failed', `the reading of BBRv3's telemetry ended: ${lastWords}`),
  });
  return { failed, stop: () => child.stop() };
}
