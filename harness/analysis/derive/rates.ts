/** Bytes that arrived, and the rates they make: of the media and of the floods beside it. */
import { growth, type Reading } from '../../../core/stats/counters.ts';
import { serviceSeries } from '../../record/series/service.ts';
import { tcpSeries } from '../../record/series/tcp.ts';
import type { TrialRecord, Window } from '../../record/trial-record.ts';
import { inboundCounter } from './inbound.ts';

/** inbound-rtp bytesReceived: RTP payload with retransmissions, without headers and padding (W3C webrtc-stats). */
export function mediaBytes(record: TrialRecord): Promise<Reading[]> {
  return inboundCounter(record, 'bytesReceived');
}

/** TCP payload that the receiver's sockets took, one series a flow. */
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

/** bit/s over the window. */
export async function mediaGoodputBps(record: TrialRecord): Promise<number | null> {
  const bytes = growth(await mediaBytes(record), record.window);
  return bytes === null ? null : (bytes * 8) / record.windowS;
}

/**
 * What each flow of a flood had while both windows ran; empty where one of its flows was not read at both ends of that.
 */
async function flowGrowths(flood: TrialRecord, { startMs, endMs }: Window): Promise<number[]> {
  const own = flood.window;
  const both = { startMs: Math.max(startMs, own.startMs), endMs: Math.min(endMs, own.endMs) };
  const growths = (await flowBytes(flood)).map(readings => (both.startMs < both.endMs ? growth(readings, both) : 0));
  return growths.includes(null) ? [] : (growths as number[]);
}

/**
 * bit/s over the window of each of the flood's flows; null without a flood, or where a flow was not read at both ends.
 */
export async function floodFlowsBps(record: TrialRecord): Promise<number[] | null> {
  if (record.flood === null) return null;
  const bytes = await Promise.all(record.floods().map(flood => flowGrowths(flood, record.window)));
  return bytes.some(of => of.length === 0) ? null : bytes.flat().map(of => (of * 8) / record.windowS);
}

/** The same of all flows together. */
export async function floodGoodputBps(record: TrialRecord): Promise<number | null> {
  return (await floodFlowsBps(record))?.reduce((sum, bps) => sum + bps, 0) ?? null;
}

/** Content that each client of the record's own application tells to have received, bytes. */
async function toldBytes(record: TrialRecord): Promise<Reading[][]> {
  const clients = new Map<number, Reading[]>([[1, []]]); // one that tells nothing has a series without readings
  for (const told of await record.read(serviceSeries)) {
    if (!('receivedBytes' in told)) continue;
    const client = ('client' in told ? told.client : undefined) ?? 1;
    const readings = clients.get(client) ?? [];
    readings.push({ timeMs: told.timeMs, value: told.receivedBytes });
    clients.set(client, readings);
  }
  return [...clients.values()];
}

/** What the record's own application received, bytes: the media of a call, else one series a flow or client. */
export async function ownBytes(record: TrialRecord): Promise<Reading[][]> {
  const media = await mediaBytes(record);
  if (media.length > 0) return [media];
  const flows = await flowBytes(record);
  return flows.length > 0 ? flows : toldBytes(record);
}

/** The same of one that is no call, bit/s while it was in use; null of a call, or where it was not read at both ends. */
export async function transferGoodputBps(record: TrialRecord): Promise<number | null> {
  if ((await mediaBytes(record)).length > 0) return null;
  const growths = (await ownBytes(record)).map(readings => growth(readings, record.window));
  if (growths.includes(null)) return null;
  return ((growths as number[]).reduce((sum, bytes) => sum + bytes, 0) * 8) / record.windowS;
}

/** What arrived of the record's own application while it was in use, of whatever kind, bit/s; null: it does not tell. */
export async function ownGoodputBps(record: TrialRecord): Promise<number | null> {
  return (await mediaGoodputBps(record)) ?? (await transferGoodputBps(record));
}
