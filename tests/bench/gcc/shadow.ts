/**
 * The shadow: Chromium sends to our receiver, our GCC is fed the same packets and the same reports, and its estimate is
 * held against the one that Chromium logs. Same inputs: what differs is ours.
 *
 * But for one thing. libwebrtc takes the time of a packet in whole ms, just before the packet is handed to the kernel; the capture sees it some
 * hundredths to tenths of a ms later, so that for some packets it is another ms, and an over-use that is declared by a hair is not declared. How much later is not
 * known; it is taken to be what brings the two estimates nearest, of a few values, and what the others would give is told beside it.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CoexistError } from '../../../harness/base/errors.ts';
import type { Link } from '../../../harness/base/link.ts';
import { plugin } from '../../../server/congestion/gcc/index.ts';
import { BenchNetwork, benchLink } from '../bbr3/network.ts';
import { readChromiumLog } from './chromium-log.ts';
import type { Estimate } from './chromium-log.ts';
import { compare } from './compare.ts';
import type { Nearness } from './compare.ts';
import { replay } from './replay.ts';
import type { Report } from './replay.ts';
import { readSentRtp } from './sent-rtp.ts';
import { rates, runShadowCall } from './shadow-call.ts';
import type { CallFiles, Scenario } from './shadow-call.ts';

const oneWayMs = 25;
/** Of losses; with others a handshake may meet one, and the receiver's does not send again. */
const firstSeed = 20;
/** Comparison ends so long before the call does. */
const tailMs = 1000;

function link(rateBps: number, change: Partial<Link> = {}): Link {
  const plain = benchLink(rateBps, 2 * oneWayMs, Math.round(rateBps * 0.3 / 8 / 1514));
  return { ...plain, ways: { ...plain.ways, server: { ...plain.ways.server, downMs: oneWayMs, upMs: oneWayMs } }, ...change };
}

const step = (atMs: number, rateBps: number) => ({ atMs, rateBps, rampMs: 0 });

export const scenarios: readonly Scenario[] = [
  { name: 'steady', link: link(3e6), durationMs: 60_000 },
  { name: 'step-down', link: link(4e6, { schedule: [step(25_000, 1e6)] }), durationMs: 60_000 },
  { name: 'step-up', link: link(1e6, { schedule: [step(25_000, 4e6)] }), durationMs: 60_000 },
  { name: 'loss-2', link: link(3e6, { loss: { kind: 'independent', ratio: 0.02, where: 'before' } }), durationMs: 60_000 },
  { name: 'cubic', link: link(4e6), durationMs: 75_000, flood: 'cubic' },
];

type Line = { atMs: number; sequence?: number; rtcp?: string };

/** What the capture may lag behind Chromium's reading of the time, ms. */
const lagsMs = [0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5];

/** One lag for the whole of a call. */
export type Shadow = { lagMs: number; ours: Estimate[]; theirs: Estimate[]; nearness: Nearness };

/** Replays a call, once for each lag; the nearest first. `source`: address of Chromium's host. */
export function shadowsOf(files: CallFiles, source: string): Shadow[] {
  const { estimates: theirs, clusters, clockOffsetMs } = readChromiumLog(readFileSync(files.log, 'utf8'), new Date().getFullYear());
  const sent = readSentRtp(readFileSync(files.sent), source, files.sequenceId);
  const lines = readFileSync(files.received, 'utf8').split('\n').filter(line => line !== '').map(line => JSON.parse(line) as Line);
  const reports = lines.flatMap(({ atMs, rtcp }): Report[] => (rtcp === undefined ? [] : [{ arrivedMs: atMs + oneWayMs, rtcp: Buffer.from(rtcp, 'hex') }]));
  const first = theirs[0];
  const last = sent.at(-1);
  if (first === undefined || last === undefined || reports.length === 0) throw new CoexistError('trials-failed', 'the call left no trace');
  return lagsMs.map((lagMs): Shadow => {
    const controller = plugin.create(plugin.params.parse({}) as never);
    const ours = replay(controller, { sent: sent.map(packet => ({ ...packet, sentMs: packet.sentMs - lagMs })), reports, clusters, clockOffsetMs }, first.timeMs, rates);
    return { lagMs, ours, theirs, nearness: compare(ours, theirs, first.timeMs, last.sentMs - tailMs) };
  }).sort((a, b) => a.nearness.meanError - b.nearness.meanError);
}

export async function runShadows(names: readonly string[], keep?: string): Promise<{ name: string; shadows: Shadow[] }[]> {
  const directory = keep ?? mkdtempSync(join(tmpdir(), 'coexist-bench-'));
  const network = await BenchNetwork.open();
  const results = [];
  try {
    for (const [k, scenario] of scenarios.entries()) {
      if (names.length > 0 && !names.includes(scenario.name)) continue;
      results.push({ name: scenario.name, shadows: shadowsOf(await runShadowCall(network, scenario, firstSeed + k, directory), network.dumbbell.addresses.server) });
    }
    return results;
  } finally {
    await network.close();
    if (keep === undefined) rmSync(directory, { recursive: true, force: true });
  }
}
