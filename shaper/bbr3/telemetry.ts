/**
 * Telemetry of the loaded BBRv3 on its connections, as coexist-bbr3 prints it (telemetry.h); null is "infinite" or "not
 * known yet".
 */
import { CoexistError } from '../../core/errors.ts';
import { checkTold, z } from '../../core/schema/schema.ts';
import type { Host } from '../../core/system/host.ts';
import { JsonLinesChild } from '../../core/system/json-lines-child.ts';

/**
 * Budget of a connection whose BDP is a few packets (parameters.h). The draft's wait for a probe is as many rounds as
 * the BDP has packets; in Google's kernel the BDP of the wait includes the room for bursts.
 */
export const bbr3Budgets = ['draft', 'kernel'] as const;
export type Bbr3Budget = (typeof bbr3Budgets)[number];

const state = z.enum(['startup', 'drain', 'down', 'cruise', 'refill', 'up', 'probe-rtt']);

const count = z.int().min(0);
/** 64 bits of bytes per second as bit/s may exceed the safe integers. */
const amount = z.number().min(0);
/** CLOCK_MONOTONIC, ms; a machine runs for less than thirty years. */
const time = amount.max(1e12);
const word = z.string().max(64);
const budget = z.enum(bbr3Budgets);

/** The model of the path (draft-ietf-ccwg-bbr 2.9), common to samples and events. */
const model = {
  timeMs: time,
  /** Number of the socket since BBRv3 was loaded, from 1. */
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
  /** Acknowledgments for which the data in flight at sending was known, and those for which it was not. */
  ringHits: count,
  ringMisses: count,
  lostPacketsSeen: count,
});
export type Bbr3Sample = z.output<typeof sample>;

/** An event, with the state before and after it (phases.h). */
const event = z.object({
  ...model,
  number: count,
  event: word,
  from: state,
  to: state,
  pacingGainPercent: count,
  /** Longest wait of DOWN and CRUISE. */
  probeWaitMs: amount,
});
export type Bbr3Event = z.output<typeof event>;

export const bbr3Identity = z.object({
  version: count,
  draft: word,
  /** Hash of the object file; null if it was loaded by hand without it. */
  objectSha256: z.hash('sha256').nullable(),
  budget,
  telemetry: z.boolean(),
  /** True if it was loaded for runs, and is removed with its last holder. */
  forRuns: z.boolean(),
  congControlArguments: count,
});
export type Bbr3Identity = z.output<typeof bbr3Identity>;

const counters = z.object({ sockets: count, storeFailures: count, events: count });
export type Bbr3Counters = z.output<typeof counters>;

/** A line has one of these, or the number of missed events, which is not used. */
const line = z.object({ sample: sample.optional(), event: event.optional(), counters: counters.optional() });

/** Parses a line. `host`: for messages. Throws `service-failed` if the line is not valid. */
export const readTelemetry = (said: unknown, { name }: Pick<Host, 'name'>): z.output<typeof line> =>
  checkTold(line, said, `BBRv3's telemetry on ${name}`, 'service-failed');

export type Bbr3Watch = { failed: Promise<never>; stop(): Promise<void> };

/**
 * Starts to read telemetry; times are on the harness's clock. The counters come first. It reads the BBRv3 that is
 * registered at the start, while it is in use. `failed` rejects when the reading ends before `stop`.
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
