/**
 * A row of two bottlenecks, made for real, and pairs of hosts of which one crosses both and the others one each (RFC
 * 8867, section 6.3): where the packets of each pair are counted and logged, and the round trips of the pairs.
 */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { nowMs } from '../../core/system/clock.ts';
import { Lease } from '../../core/system/lease.ts';
import { hopsOf } from '../../core/vocabulary/hops.ts';
import { type FurtherHop, type HopSpan, type Link, plainLink, plainPath } from '../../core/vocabulary/link.ts';
import { probeCapabilities } from '../../shaper/backend/capabilities.ts';
import { LinkChain, logAt } from '../../shaper/backend/link-chain.ts';
import { linkProgram } from '../../shaper/emulator/link-program.ts';
import { digestQueueLog } from '../../shaper/queue-log/digest.ts';
import { Dumbbell } from '../../shaper/topology/dumbbell.ts';
import { aqms } from '../e2e/support/links.ts';
import { allNamespaces, cannotRun } from '../e2e/support/run-command.ts';

const skip = cannotRun ?? (existsSync(linkProgram) ? false : 'needs the native helper: npm run setup');
/** Full packets of ping, as Ethernet frames. */
const [payloadBytes, frameBytes] = [1472, 1514];

const state = mkdtempSync(join(tmpdir(), 'coexist-e2e-'));
/** Each pair with the bottlenecks between its hosts, its base round-trip time, and the number of packets it sends. */
const pairs: { left: string; right: string; span: HopSpan | null; rttMs: number; packets: number }[] = [
  { left: 'left-1', right: 'right-1', span: { from: 1, to: 1 }, rttMs: 30, packets: 30 },
  { left: 'left-2', right: 'right-2', span: null, rttMs: 60, packets: 40 },
  { left: 'left-3', right: 'right-3', span: { from: 2, to: 2 }, rttMs: 45, packets: 50 },
];
const [onFirst, onBoth, onSecond] = pairs.map(({ packets }) => packets) as [number, number, number];
const sides = {
  left: pairs.map(({ left }) => left),
  right: pairs.map(({ right }) => right),
  spans: pairs.map(({ span }) => span),
};

let lease: Lease;
let dumbbell: Dumbbell;
let chain: LinkChain;

before(async () => {
  if (skip !== false) return;
  lease = Lease.open(state);
  dumbbell = await Dumbbell.build(lease, sides, { hops: 2 });
  chain = new LinkChain(dumbbell, aqms, probeCapabilities());
});

after(async () => {
  await dumbbell?.remove();
  lease?.release();
  rmSync(state, { recursive: true, force: true });
});

/** Returns a link with two bottlenecks in each direction. */
function linkOf(first: FurtherHop['backend'], second: FurtherHop['backend']): Link {
  const { paths: _, bytes: __, ...plain } = plainLink(20e6, { unit: 'packets', value: 200 });
  const bottleneck = (backend: FurtherHop['backend'], rateBps: number) => ({
    ...plain,
    rateBps,
    backend,
    up: { ...plain, rateBps: 2 * rateBps },
  });
  return {
    ...plainLink(20e6, { unit: 'packets', value: 200 }),
    ...bottleneck(first, 20e6),
    further: [bottleneck(second, 15e6)],
    paths: Object.fromEntries(
      pairs.map(({ left, rttMs, span }) => [
        left,
        { ...plainPath, downMs: rttMs / 3, rttMs, ...(span === null ? {} : { crosses: span }) },
      ]),
    ),
  };
}

async function ping({ left, packets }: (typeof pairs)[number]): Promise<number> {
  const k = sides.left.indexOf(left);
  const words = ['-n', '-q', '-c', `${packets}`, '-i', '0.02', '-s', `${payloadBytes}`, dumbbell.right[k]!.address];
  const { stdout } = await dumbbell.hosts[left]!.run(['ping', ...words], { allowFailure: true, timeoutMs: 30_000 });
  assert.match(stdout, new RegExp(`${packets} received, 0% packet loss`));
  return Number(/= [\d.]+\/([\d.]+)\//.exec(stdout)![1]);
}

describe('pairs of hosts at some bottlenecks of a row', { skip }, () => {
  test('each pair has only the routers of its bottlenecks and the one behind them between its hosts', async () => {
    await Promise.all([dumbbell.checkRoutes(), dumbbell.checkOffloads()]);
    await dumbbell.checkRoutes([2]);
    assert.deepEqual(
      dumbbell.hops.map(({ left, right }) => [...left, ...right].map(({ host: { name } }) => name)),
      [
        ['left-1', 'left-2', 'right-1', 'right-2'],
        ['left-2', 'left-3', 'right-2', 'right-3'],
      ],
    );
  });

  for (const [first, second] of [
    ['emulator', 'emulator'],
    ['tc', 'emulator'],
    ['emulator', 'tc+line'],
    ['tc', 'tc'],
  ] as const)
    test(`${first}, then ${second}: a bottleneck has the packets of the pairs that cross it, and no others`, async () => {
      const link = linkOf(first, second);
      const log = join(state, 'queue.log');
      await chain.set(link, 1, { log });
      await chain.verify();
      const received = () => dumbbell.received([...dumbbell.left, ...dumbbell.right].map(({ host }) => host));
      const start = await received();
      const fromMs = nowMs();
      const rttsMs = await Promise.all(pairs.map(ping));
      const came = (await received()).map(({ bytes }, k) => bytes - start[k]!.bytes);
      const { further, ...before_ } = await chain.counters();
      for (const [place, one] of [before_, further[0]!].entries()) {
        const packets = place === 0 ? onFirst + onBoth : onBoth + onSecond;
        const expected = { sentPackets: packets, sentBytes: packets * frameBytes, droppedPackets: 0 };
        for (const { sentPackets, sentBytes, droppedPackets } of [one, one.up!])
          assert.deepEqual({ sentPackets, sentBytes, droppedPackets }, expected, `bottleneck ${place + 1}`);
      }
      // what left the bottlenecks has arrived, at both ends of each pair
      assert.deepEqual(
        came,
        [...pairs, ...pairs].map(({ packets }) => packets * frameBytes),
      );
      // full packets take up to 3 ms on the links, beside the small ones that the round trips are settled with
      for (const [k, { rttMs }] of pairs.entries())
        assert.ok(rttsMs[k]! > rttMs - 1 && rttsMs[k]! < rttMs + 8, `${rttsMs[k]} ms, not ${rttMs} ms`);
      const ends = await chain.endLogs();
      // a kernel may be unable to log packets; the emulator always can
      if (ends.includes(null)) return assert.ok(first !== 'emulator' || second !== 'emulator');
      const parties = pairs.map((_, k) => ({ server: dumbbell.left[k]!.address, client: dumbbell.right[k]!.address }));
      const unixOffsetMs = nowMs() - Number(process.hrtime.bigint()) / 1e6;
      for (const [k, own] of hopsOf(link).entries()) {
        const window = { unixOffsetMs, fromMs, toMs: nowMs(), parties, lateMs: 190 };
        const { queues } = await digestQueueLog({ file: logAt(log, k + 1), ...window, bottlenecks: { down: own } });
        const seen = queues[0]!.traffic.map(({ party, sentPackets }) => [party, sentPackets]);
        assert.deepEqual(
          seen.sort(([a], [b]) => a! - b!),
          k === 0
            ? [
                [0, onFirst],
                [1, onBoth],
              ]
            : [
                [1, onBoth],
                [2, onSecond],
              ],
        );
      }
    });

  test('a row without a pair over all of it, or with a bottleneck that there is not, is refused', async () => {
    const refused = (spans: (HopSpan | null)[], message: RegExp) =>
      assert.rejects(Dumbbell.build(lease, { ...sides, spans }, { hops: 2 }), { code: 'bad-definition', message });
    await refused([{ from: 1, to: 3 }, null, null], /no bottlenecks 1 to 3 in a row of 2/);
    await refused(Array(3).fill({ from: 2, to: 2 }), /no pair of hosts has all bottlenecks between the two/);
  });

  test('removed, nothing is left of them', async () => {
    await chain.clear();
    await dumbbell.remove();
    assert.deepEqual(
      (await allNamespaces()).filter(name => name.includes(lease.id)),
      [],
    );
  });
});
