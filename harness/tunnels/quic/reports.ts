/** What an end of the tunnel tells, line by line. */

import { check, z } from '../../../core/schema/schema.ts';
import { readToldJson } from '../../../core/system/printed-json.ts';
import type { TunnelRecord } from '../../record/series/tunnel.ts';

const count = z.number().nonnegative();
const optional = count.nullable();

/** What goes into the record as it is told. */
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

/** An end that has no connection yet tells no more than this. */
const waiting = z.strictObject({ timeMs: count, state: z.literal('waiting') });

/** From here on a window limits nothing: no path carries so much. */
const noWindowBytes = 2 ** 32;

export type EndReport = z.output<typeof connected>;

/** The report in a line; null while the end has no connection. Throws `service-failed` where the line is none. */
export function readReport(line: string): EndReport | null {
  const told = readToldJson("the tunnel's end", line, z.unknown(), 'service-failed');
  if (waiting.safeParse(told).success) return null;
  return check(connected, told, "what the tunnel's end tells", 'service-failed');
}

/** Reports of one end as the record has them. */
export class ReportSeries {
  last: EndReport | null = null;
  readonly #end: TunnelRecord['end'];

  constructor(end: TunnelRecord['end']) {
    this.#end = end;
  }

  /** The record of a line; null where it has no connection to tell of. Throws `service-failed`. */
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

/** The last report may come right after another: too short a time to tell a rate from, ms. */
const shortestMs = 20;

/** What the other end acknowledged since then, bit/s; null where the stack does not tell, or that was just now. */
function deliveryBps(before: EndReport | null, { timeMs, ackedBytes }: EndReport): number | null {
  if (before === null || before.ackedBytes === null || ackedBytes === null || timeMs < before.timeMs + shortestMs)
    return null;
  return Math.max(0, (8000 * (ackedBytes - before.ackedBytes)) / (timeMs - before.timeMs));
}
