/** Bytes that media and floods received, and the rates computed from these bytes. */
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

/** Returns readings of the TCP payload that the receiver's sockets of the floods received, one series per flow. */
export async function floodBytes(record: TrialRecord): Promise<Reading[][]> {
  return (await Promise.all(record.floods().map(flowBytes))).flat();
}

async function flowBytes(flood: TrialRecord): Promise<Reading[][]> {
  const flows = new Map<number, Reading[]>();
  for (const { end, port, timeMs, bytesReceived } of await flood.read(tcpSeries)) {
    if (end !== 'receiver' || bytesReceived === undefined) continue;
    const readings = flows.get(port) ?? [];
    readings.push({ timeMs, value: bytesReceived });
    flows.set(port, readings);
  }
  return [...flows.values()];
}

/** Returns the goodput of the media over the window, bit/s; null if the received bytes were not read. */
export async function mediaGoodputBps(record: TrialRecord): Promise<number | null> {
  const bytes = growth(await mediaBytes(record), record.window);
  return bytes === null ? null : (bytes * 8) / record.windowS;
}

/**
 * Returns the bytes that each flow of a flood received while both windows overlap; empty if a flow was not read at both
 * ends.
 */
async function flowGrowths(flood: TrialRecord, { startMs, endMs }: Window): Promise<number[]> {
  const own = flood.window;
  const both = { startMs: Math.max(startMs, own.startMs), endMs: Math.min(endMs, own.endMs) };
  const growths = (await flowBytes(flood)).map(readings => (both.startMs < both.endMs ? growth(readings, both) : 0));
  return growths.includes(null) ? [] : (growths as number[]);
}

/**
 * Returns the goodput of each flow of the floods over the window, bit/s; null without a flood, or if a flow was not
 * read at both ends of the window.
 */
export async function floodFlowsBps(record: TrialRecord): Promise<number[] | null> {
  if (record.flood === null) return null;
  const bytes = await Promise.all(record.floods().map(flood => flowGrowths(flood, record.window)));
  return bytes.some(of => of.length === 0) ? null : bytes.flat().map(of => (of * 8) / record.windowS);
}

/** Returns the goodput of all floods together over the window, bit/s; null if `floodFlowsBps` is null. */
export async function floodGoodputBps(record: TrialRecord): Promise<number | null> {
  return (await floodFlowsBps(record))?.reduce((sum, bps) => sum + bps, 0) ?? null;
}

/** Returns readings of the received content, bytes, as each client of the record's application reports it. */
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
  const flows = await flowBytes(record);
  return flows.length > 0 ? flows : toldBytes(record);
}

/**
 * Returns the goodput of an application that is not a call, while it was in use, bit/s. Null for a call, or if the
 * bytes were not read at both ends of this time.
 */
export async function transferGoodputBps(record: TrialRecord): Promise<number | null> {
  if ((await mediaBytes(record)).length > 0) return null;
  const growths = (await ownBytes(record)).map(readings => growth(readings, record.window));
  if (growths.includes(null)) return null;
  return ((growths as number[]).reduce((sum, bytes) => sum + bytes, 0) * 8) / record.windowS;
}

/** Returns the goodput of the record's application, of any kind, while it was in use, bit/s; null if unknown. */
export async function ownGoodputBps(record: TrialRecord): Promise<number | null> {
  return (await mediaGoodputBps(record)) ?? (await transferGoodputBps(record));
}
