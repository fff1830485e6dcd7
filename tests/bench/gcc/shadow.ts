/**
 * The shadow: Chromium sends to our receiver, our GCC is fed the same packets and the same reports, and its estimate is
 * held against the one that Chromium logs. Same inputs, to the ms that libwebrtc takes a packet to be sent in: what
 * differs is ours.
 */
import { readFileSync } from 'node:fs';
import { CoexistError } from '../../../core/errors.ts';
import type { Link } from '../../../core/vocabulary/link.ts';
import { plugin } from '../../../server/congestion/gcc/index.ts';
import { BenchNetwork, benchLink } from '../bbr3/network.ts';
import { type Estimate, readChromiumLog } from './chromium-log.ts';
import { compare, type Nearness } from './compare.ts';
import { type OwnSent, type Report, replay } from './replay.ts';
import { buildSendTimes, readSendTimes } from './send-times.ts';
import { readSentRtp } from './sent-rtp.ts';
import { type CallFiles, rates, runShadowCall, type Scenario } from './shadow-call.ts';

const oneWayMs = 25;
/** Of losses; with others a handshake may meet one, and the receiver's does not send again. */
const firstSeed = 20;
/** Comparison ends so long before the call does. */
const tailMs = 1000;

function link(rateBps: number, change: Partial<Link> = {}): Link {
  const plain = benchLink(rateBps, 2 * oneWayMs, Math.round((rateBps * 0.3) / 8 / 1514));
  return {
    ...plain,
    paths: { ...plain.paths, server: { ...plain.paths.server!, downMs: oneWayMs, upMs: oneWayMs } },
    ...change,
  };
}

const step = (atMs: number, rateBps: number) => ({ atMs, rateBps, rampMs: 0 });

export const scenarios: readonly Scenario[] = [
  { name: 'steady', link: link(3e6), durationMs: 60_000 },
  { name: 'step-down', link: link(4e6, { schedule: [step(25_000, 1e6)] }), durationMs: 60_000 },
  { name: 'step-up', link: link(1e6, { schedule: [step(25_000, 4e6)] }), durationMs: 60_000 },
  {
    name: 'loss-2',
    link: link(3e6, { loss: { kind: 'independent', ratio: 0.02, where: 'before' } }),
    durationMs: 60_000,
  },
  { name: 'cubic', link: link(4e6), durationMs: 75_000, flood: 'cubic' },
];

type Line = { atMs: number; sequence?: number; rtcp?: string };

export type Shadow = { ours: Estimate[]; theirs: Estimate[]; nearness: Nearness };

/** Replays a call. `source`: address of Chromium's host. */
export function shadowOf(files: CallFiles, source: string): Shadow {
  const { estimates: theirs, clusters } = readChromiumLog(readFileSync(files.log, 'utf8'), new Date().getFullYear());
  const times = readSendTimes(readFileSync(files.sendTimes));
  const captured = readSentRtp(readFileSync(files.sent), source, files.sequenceId);
  const sent = captured.flatMap((packet): OwnSent[] => {
    const time = times.get(packet.header);
    return time === undefined ? [] : [{ ...packet, sentMs: time.ownMs + time.aheadMs, ownMs: time.ownMs }];
  });
  const lines = readFileSync(files.received, 'utf8')
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as Line);
  const reports = lines.flatMap(({ atMs, rtcp }): Report[] =>
    rtcp === undefined ? [] : [{ arrivedMs: atMs + oneWayMs, rtcp: Buffer.from(rtcp, 'hex') }],
  );
  const [first, last] = [theirs[0], sent.at(-1)];
  if (first === undefined || last === undefined || reports.length === 0)
    throw new CoexistError('trials-failed', 'the call left no trace');
  if (sent.length < captured.length)
    throw new CoexistError(
      'trials-failed',
      `of ${captured.length - sent.length} of the call's ${captured.length} packets nobody knows when Chromium sent them`,
    );
  const aheadMs = last.sentMs - last.ownMs;
  const controller = plugin.create(plugin.params.parse({}));
  const ours = replay(controller, { sent, reports, clusters, aheadMs }, first.timeMs, rates);
  return { ours, theirs, nearness: compare(ours, theirs, first.timeMs, last.sentMs - tailMs) };
}

/** Runs the scenarios; leaves the files of each call in `directory`. */
export async function runShadows(directory: string): Promise<{ name: string; shadow: Shadow }[]> {
  const network = await BenchNetwork.open();
  const results = [];
  try {
    const library = await buildSendTimes(directory);
    for (const [k, scenario] of scenarios.entries()) {
      results.push({
        name: scenario.name,
        shadow: shadowOf(
          await runShadowCall(network, scenario, firstSeed + k, directory, library),
          network.dumbbell.addresses.server,
        ),
      });
    }
    return results;
  } finally {
    await network.close();
  }
}
