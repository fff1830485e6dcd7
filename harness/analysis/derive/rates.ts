/** Bytes that applications received, and the rates computed from these bytes. */
import { growth, type Reading } from '../../../core/stats/counters.ts';
import { serviceSeries } from '../../record/series/service.ts';
import { tcpSeries } from '../../record/series/tcp.ts';
import type { TrialRecord, Window } from '../../record/trial-record.ts';
import { inboundCounter } from './inbound.ts';

/**
 * Returns readings of inbound-rtp bytesReceived: RTP payload with retransmissions, without headers and padding (W3C
 * webrtc-stats).
 */
export function mediaBytes(record: TrialRecord): Promise<Reading[]> {
  return inboundCounter(record, 'bytesReceived');
}

/** Returns readings of the TCP payload that the receiver's sockets received, one series per flow. */
async function socketBytes(record: TrialRecord): Promise<Reading[][]> {
  const flows = new Map<number, Reading[]>();
  for (const { end, port, timeMs, bytesReceived } of await record.read(tcpSeries)) {
    if (end !== 'receiver' || bytesReceived === undefined) continue;
    const readings = flows.get(port) ?? [];
    readings.push({ timeMs, value: bytesReceived });
    flows.set(port, readings);
  }
  return [...flows.values()];
}

/** Returns readings of the received content, bytes, as each client of the application reports it. */
async function toldBytes(record: TrialRecord): Promise<Reading[][]> {
  const clients = new Map<number, Reading[]>([[1, []]]); // client 1 has a series even without reports
  for (const told of await record.read(serviceSeries)) {
    if (!('receivedBytes' in told)) continue;
    const client = ('client' in told ? told.client : undefined) ?? 1;
    const readings = clients.get(client) ?? [];
    readings.push({ timeMs: told.timeMs, value: told.receivedBytes });
    clients.set(client, readings);
  }
  return [...clients.values()];
}

/**
 * Returns readings of the bytes that the record's application received: the media of a call, else one series per flow
 * or client.
 */
export async function ownBytes(record: TrialRecord): Promise<Reading[][]> {
  const media = await mediaBytes(record);
  if (media.length > 0) return [media];
  const flows = await socketBytes(record);
  return flows.length > 0 ? flows : toldBytes(record);
}

/** Returns readings of the bytes that several applications received, one series per flow. */
export async function bytesOf(records: readonly TrialRecord[]): Promise<Reading[][]> {
  return (await Promise.all(records.map(ownBytes))).flat();
}

/** Returns the bytes that each flow of an application received while the application was in use in the window. */
async function flowGrowths(record: TrialRecord, { startMs, endMs }: Window): Promise<(number | null)[]> {
  const own = record.window;
  const both = { startMs: Math.max(startMs, own.startMs), endMs: Math.min(endMs, own.endMs) };
  return (await ownBytes(record)).map(readings => (both.startMs < both.endMs ? growth(readings, both) : 0));
}

/** Part of a record that says over which time rates are computed. */
type Measured = Pick<TrialRecord, 'window' | 'windowS'>;

/**
 * Returns the goodput of each flow of the applications over a window, bit/s. The time outside the window in which an
 * application was in use does not count. Null without an application, in an empty window, or if a flow was not read at
 * both ends.
 */
export async function flowsBps(
  records: readonly TrialRecord[],
  { window, windowS }: Measured,
): Promise<number[] | null> {
  if (windowS <= 0) return null;
  const bytes = (await Promise.all(records.map(record => flowGrowths(record, window)))).flat();
  return bytes.length === 0 || bytes.includes(null) ? null : (bytes as number[]).map(of => (of * 8) / windowS);
}

/** Returns the goodput of the applications together over a window, bit/s; null if `flowsBps` is null. */
export async function goodputBps(records: readonly TrialRecord[], measured: Measured): Promise<number | null> {
  return (await flowsBps(records, measured))?.reduce((sum, bps) => sum + bps, 0) ?? null;
}

/** Returns the goodput of the record's application while it was in use, bit/s; null if it is unknown. */
export const ownGoodputBps = (record: TrialRecord) => goodputBps([record], record);
