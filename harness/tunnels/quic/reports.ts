/** Parses the reports of an end of the tunnel. Each report is a JSON line. */

import { check, z } from '../../../core/schema/schema.ts';
import { readToldJson } from '../../../core/system/printed-json.ts';
import type { TunnelRecord } from '../../record/series/tunnel.ts';

const count = z.number().nonnegative();
const optional = count.nullable();

/** Values of a report that go into the record unchanged. */
const numbers = z.object({
  timeMs: count,
  congestionWindowBytes: count,
  rttMs: count,
  minRttMs: optional,
  bytesInFlight: count,
  sentBytes: count,
  sentPackets: count,
  lostPackets: count,
  lostBytes: count,
  congestionEvents: count,
  spuriousCongestionEvents: count,
  ackedBytes: optional,
  pacingBps: optional,
  bandwidthEstimateBps: optional,
  receivedBytes: count,
  datagramFramesSent: count,
  streamFramesSent: count,
  queuedBytes: count,
  packetsIn: count,
  bytesIn: count,
  tooLargePackets: count,
  droppedPackets: count,
  refusedPackets: count,
  packetsOut: count,
  bytesOut: count,
  undeliveredPackets: count,
  badFrames: count,
  flows: count,
  cpuMs: optional,
});

const connected = z.strictObject({
  ...numbers.shape,
  state: z.enum(['connected', 'ended']),
  why: z.string().optional(),
  stack: z.string(),
  mode: z.string(),
  congestionControl: z.string(),
  mostPayloadBytes: count,
});

/** Report of an end that has no connection yet. */
const waiting = z.strictObject({ timeMs: count, state: z.literal('waiting') });

/** Flow control window, bytes, from which a window limits nothing: no path carries as much in one round trip. */
const noWindowBytes = 2 ** 32;

export type EndReport = z.output<typeof connected>;

/**
 * Parses a line. Returns its report; null if the end has no connection yet. Throws `service-failed` if the line is not
 * a report.
 */
export function readReport(line: string): EndReport | null {
  const told = readToldJson("the tunnel's end", line, z.unknown(), 'service-failed');
  if (waiting.safeParse(told).success) return null;
  return check(connected, told, "what the tunnel's end tells", 'service-failed');
}

/** Converts successive reports of one end into records. */
export class ReportSeries {
  last: EndReport | null = null;
  readonly #end: TunnelRecord['end'];

  constructor(end: TunnelRecord['end']) {
    this.#end = end;
  }

  /**
   * Returns the record for a line; null if the end has no connection yet. Throws `service-failed` if the line is not a
   * report.
   */
  take(line: string): TunnelRecord | null {
    const report = readReport(line);
    if (report === null) return null;
    const before = this.last;
    this.last = report;
    const { congestionWindowBytes, ...told } = numbers.parse(report);
    return {
      end: this.#end,
      ...told,
      congestionWindowBytes: congestionWindowBytes >= noWindowBytes ? null : congestionWindowBytes,
      deliveryBps: deliveryBps(before, report),
    };
  }
}

/**
 * Shortest interval between reports for which a rate is computed, ms. The last report may follow the previous one at
 * once.
 */
const shortestMs = 20;

/**
 * Returns the rate of data that the other end acknowledged since `before`, bit/s. Null if the stack does not report
 * acknowledged bytes or the interval is too short.
 */
function deliveryBps(before: EndReport | null, { timeMs, ackedBytes }: EndReport): number | null {
  if (before === null || before.ackedBytes === null || ackedBytes === null || timeMs < before.timeMs + shortestMs)
    return null;
  return Math.max(0, (8000 * (ackedBytes - before.ackedBytes)) / (timeMs - before.timeMs));
}
