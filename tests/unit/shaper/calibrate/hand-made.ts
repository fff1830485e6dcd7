/** Hand-made links and arrivals for the tests of preflight's verdicts. */
import type { Arrival } from '../../../../shaper/calibrate/arrivals.ts';
import type { PreflightLink, PreflightPath } from '../../../../shaper/calibrate/link.ts';
import type { Reading } from '../../../../shaper/calibrate/readings.ts';

export const down: PreflightPath = { from: 'server', to: 'client', shaped: true, delayMs: 10, loss: null };
export const up: PreflightPath = { from: 'client', to: 'server', shaped: false, delayMs: 15, loss: null };

/** 12.112 Mbit/s: a frame of 1514 bytes takes exactly 1 ms. */
export const rateBps = 12_112_000;

export function link(change: Partial<PreflightLink> = {}): PreflightLink {
  return {
    rateBps,
    overheadBytes: 14,
    limitPackets: 100,
    limitBytes: null,
    discipline: { title: 'FIFO', law: { kind: 'tail' }, roomPackets: null },
    bucketBytes: 1600,
    paths: [down, up],
    counters: () => Promise.reject(new Error('nothing is counted here')),
    reset: () => Promise.reject(new Error('nothing is set here')),
    ...change,
  };
}

/** Packet `sequence`, with its times of sending and receipt, ms. */
export function arrival(sequence: number, sentMs: number, receivedMs: number): Arrival {
  return { sequence, sentMs, receivedMs, bytes: 1472, flow: 0 };
}

/** The reading with that id; fails if there is none or more than one. */
export function byId(readings: readonly Reading[], id: string): Reading {
  const found = readings.filter(reading => reading.id === id);
  if (found.length !== 1)
    throw new Error(`${found.length} readings "${id}" among ${readings.map(reading => reading.id).join(', ')}`);
  return found[0]!;
}

export const verdicts = (readings: readonly Reading[]) =>
  Object.fromEntries(readings.map(({ id, verdict }) => [id, verdict]));
