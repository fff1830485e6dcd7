/** Checks of two bottlenecks in a row, on hosts that all tests of a file share. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { nowMs } from '../../../core/system/clock.ts';
import { Lease } from '../../../core/system/lease.ts';
import { hopsOf } from '../../../core/vocabulary/hops.ts';
import { type FurtherHop, type Link, plainLink } from '../../../core/vocabulary/link.ts';
import { probeCapabilities } from '../../../shaper/backend/capabilities.ts';
import { LinkChain, logAt, seedAt } from '../../../shaper/backend/link-chain.ts';
import { linkProgram } from '../../../shaper/emulator/link-program.ts';
import { digestQueueLog } from '../../../shaper/queue-log/digest.ts';
import { predictedLosses } from '../../../shaper/tc/loss.ts';
import { Dumbbell } from '../../../shaper/topology/dumbbell.ts';
import { twoSenders } from '../../../shaper/topology/legs.ts';
import { aqms, independent } from './links.ts';
import { cannotRun } from './run-command.ts';
import type { TwoSenders } from './two-senders.ts';

const skip = cannotRun ?? (existsSync(linkProgram) ? false : 'needs the native helper: npm run setup');
const seed = 7;
const icmp = 1;
/** Full packets of ping, as Ethernet frames. */
const [payloadBytes, frameBytes] = [1472, 1514];

const state = mkdtempSync(join(tmpdir(), 'coexist-e2e-'));
let lease: Lease | undefined;
let dumbbell: TwoSenders;
let chain: LinkChain;

before(async () => {
  if (skip !== false) return;
  lease = Lease.open(state);
  dumbbell = await Dumbbell.build(lease, twoSenders, { hops: 2 });
  chain = new LinkChain(dumbbell, aqms, probeCapabilities());
});

after(async () => {
  await chain?.clear();
  await dumbbell?.remove();
  lease?.release();
  rmSync(state, { recursive: true, force: true });
});

type Side = Partial<FurtherHop> & Pick<FurtherHop, 'backend' | 'rateBps'>;

function inRow(first: Side, second: Side): Link {
  const { paths: _, bytes: __, ...hop } = plainLink(20e6, { unit: 'packets', value: 500 });
  return { ...plainLink(20e6, { unit: 'packets', value: 500 }), ...first, further: [{ ...hop, ...second }] };
}

const ping = (...words: string[]) =>
  dumbbell.hosts.server.run(['ping', '-n', '-q', '-W', '2', ...words, dumbbell.addresses.client], {
    allowFailure: true,
    timeoutMs: 60_000,
  });
const burst = (packets: number) => ping('-f', '-c', `${packets}`, '-l', `${packets}`, '-s', `${payloadBytes}`);

/** The tests of one backend behind another. */
export function keepsItsRow(first: FurtherHop['backend'], second: FurtherHop['backend']): void {
  describe(`${first}, then ${second}`, { skip }, () => {
    test('the bytes that leave the first are those that come to the second, which has its own queue and log', async () => {
      const link = inRow(
        { backend: first, rateBps: 20e6 },
        { backend: second, rateBps: 2e6, queue: { unit: 'packets', value: 50 } },
      );
      const log = join(state, 'queue.log');
      assert.equal(await chain.set(link, seed, { log }), first);
      assert.deepEqual(chain.further, [{ backend: second, traces: null }]);
      await chain.verify();
      const fromMs = nowMs();
      await burst(100); // 50 find room at the second, and take 303 ms
      const {
        sentBytes,
        droppedPackets,
        further: [behind],
      } = await chain.counters();
      const cameBytes = behind!.sentBytes + behind!.droppedPackets * frameBytes;
      assert.ok(Math.abs(cameBytes / sentBytes - 1) < 0.001, `${sentBytes} bytes left, ${cameBytes} came`);
      assert.deepEqual([sentBytes, droppedPackets], [100 * frameBytes, 0]);
      assert.ok(behind!.sentPackets >= 50 && behind!.sentPackets < 70, `${behind!.sentPackets} of 100`);
      const ends = await chain.endLogs();
      assert.deepEqual(
        ends.map(end => end?.lost),
        [0, 0],
      );
      const parties = [{ server: dumbbell.addresses.server, client: dumbbell.addresses.client }];
      const unixOffsetMs = nowMs() - Number(process.hrtime.bigint()) / 1e6;
      const told = [];
      for (const [k, own] of hopsOf(link).entries()) {
        const { queues } = await digestQueueLog({
          file: logAt(log, k + 1),
          unixOffsetMs,
          fromMs,
          toMs: nowMs(),
          parties,
          lateMs: 190,
          bottlenecks: { down: own },
        });
        assert.ok(queues[0]!.conservation.holds);
        told.push(queues[0]!.traffic[0]!);
      }
      const [atFirst, atSecond] = told;
      assert.equal(atFirst!.sentBytes, sentBytes);
      assert.deepEqual(
        [atSecond!.sentBytes, atSecond!.droppedPackets.overflow],
        [behind!.sentBytes, behind!.droppedPackets],
      );
      assert.ok(atFirst!.delay!.maxMs < 70, `${atFirst!.delay!.maxMs} ms at the first`);
      assert.ok(
        atSecond!.delay!.maxMs > 250 && atSecond!.delay!.maxMs < 400,
        `${atSecond!.delay!.maxMs} ms at the second`,
      );
    });

    test('each loses what its own seed foretells', async () => {
      const packets = 200;
      const [before_, after_] = [independent(0.1), { ...independent(0.2), where: 'after' as const }];
      await chain.set(
        inRow({ backend: first, rateBps: 20e6, loss: after_ }, { backend: second, rateBps: 20e6, loss: before_ }),
        seed,
      );
      await chain.verify();
      await ping('-c', `${packets}`, '-i', '0.005', '-W', '0.2');
      const { loss, further } = await chain.counters();
      const flow = { source: dumbbell.addresses.server, destination: dumbbell.addresses.client, protocol: icmp };
      const lostOf = (flows: typeof loss) => flows.find(({ source }) => source === flow.source)!;
      const lostAtFirst = predictedLosses(seedAt(seed, 1), after_, flow, packets).length;
      const came = packets - lostAtFirst;
      assert.deepEqual([lostOf(loss).packets, lostOf(loss).lostPackets], [packets, lostAtFirst]);
      assert.deepEqual(
        [lostOf(further[0]!.loss).packets, lostOf(further[0]!.loss).lostPackets],
        [came, predictedLosses(seedAt(seed, 2), before_, flow, came).length],
      );
    });

    test('a link without further bottlenecks passes the second router', async () => {
      await chain.set({ ...plainLink(20e6, { unit: 'packets', value: 500 }), backend: first }, seed);
      assert.deepEqual(chain.further, []);
      await dumbbell.checkRoutes();
      assert.match((await ping('-c', '5', '-i', '0.01')).stdout, /5 received, 0% packet loss/);
      const four = inRow({ backend: first, rateBps: 1e6 }, { backend: second, rateBps: 1e6 });
      await assert.rejects(chain.set({ ...four, further: Array.from({ length: 3 }, () => four.further![0]!) }, seed), {
        code: 'bad-definition',
        message: /4 bottlenecks in a row/,
      });
    });
  });
}
