/** What every backend has to keep, on hosts that all tests of a file share: the same link, whoever forms it. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { median } from '../../../core/stats/quantile.ts';
import { nowMs } from '../../../core/system/clock.ts';
import { sleep, until } from '../../../core/system/deadline.ts';
import type { BackendId, Link } from '../../../core/vocabulary/link.ts';
import { probeCapabilities } from '../../../shaper/backend/capabilities.ts';
import { aqmsOf, chooseBackend } from '../../../shaper/backend/choose.ts';
import { ProbeWakeUps } from '../../../shaper/calibrate/probe.ts';
import { linkProgram } from '../../../shaper/emulator/link-program.ts';
import { digestQueueLog } from '../../../shaper/queue-log/digest.ts';
import { predictedLosses } from '../../../shaper/tc/loss.ts';
import { dumbbell, shapedLink, state } from './hosts.ts';
import { aqms, independent, tcLink } from './links.ts';
import { cannotRun } from './run-command.ts';

const skip = cannotRun ?? (existsSync(linkProgram) ? false : 'needs the native helper: npm run setup');
const icmp = 1;
const seed = 11;

const plain = tcLink(10e6, { unit: 'packets', value: 100 });
const withRtt = (link: Link, rttMs: number): Link => ({
  ...link,
  paths: { server: { ...link.paths.server!, rttMs }, other: link.paths.other! },
});

/** Round-trip times of pings, ms, by their number from 0. */
async function ping(from: 'server' | 'other', ...words: string[]): Promise<Map<number, number>> {
  const { stdout } = await dumbbell.hosts[from].run(['ping', '-n', '-W', '1', ...words, dumbbell.addresses.client], {
    allowFailure: true,
    timeoutMs: 60_000,
  });
  return new Map(
    [...stdout.matchAll(/icmp_seq=(\d+) .*time=([\d.]+) ms/g)].map(match => [Number(match[1]) - 1, Number(match[2])]),
  );
}

/** Whether this machine has what the backend needs for the link: netem is the kernel's own. */
async function lacks(link: Link): Promise<string | false> {
  try {
    await chooseBackend(link, aqmsOf(link, aqms), probeCapabilities());
    return false;
  } catch (error) {
    return String(error);
  }
}

/** The tests of one backend. */
export function keepsItsLink(backend: BackendId): void {
  describe(`backend ${backend}`, { skip }, () => {
    test('begins empty, counts what passes, and leaves nothing when it is cleared', async () => {
      await shapedLink.set({ ...plain, backend }, seed);
      await shapedLink.verify();
      const { loss, up, ...counters } = await shapedLink.counters();
      assert.deepEqual(
        [loss, up, Object.values(counters).every(value => value === 0)],
        [[], null, true],
        JSON.stringify(counters),
      );
      assert.equal((await ping('server', '-c', '10', '-i', '0.01')).size, 10);
      const after = await shapedLink.counters();
      assert.deepEqual([after.sentPackets, after.sentBytes, after.backlogPackets], [10, 980, 0]);
      await shapedLink.clear();
      assert.doesNotMatch((await dumbbell.hosts.router.run(['tc', 'qdisc', 'show'])).stdout, /htb|tbf|netem|clsact/);
      assert.doesNotMatch((await dumbbell.hosts.router.run(['ip', 'rule'])).stdout, /iif/);
      assert.doesNotMatch((await dumbbell.hosts.router.run(['ip', 'link'])).stdout, /line|delay-|mm0/);
      assert.equal((await ping('server', '-c', '3', '-i', '0.01')).size, 3);
    });

    test('brings one sender to a base round-trip time, and leaves the other alone', async context => {
      const link = withRtt({ ...plain, backend }, 30);
      const reason = await lacks(link);
      if (reason !== false) return context.skip(reason);
      await shapedLink.set(link, seed);
      const rtts = [...(await ping('server', '-c', '40', '-i', '0.02')).values()];
      assert.ok(Math.abs(median(rtts)! - 30) < 1, `${median(rtts)} ms`);
      assert.ok(median([...(await ping('other', '-c', '20', '-i', '0.02')).values()])! < 5);
    });

    test('accounts for every packet of an overload in its log', async () => {
      const log = join(state, `${backend}.log`);
      await shapedLink.set({ ...plain, backend }, seed, { log });
      const wakeUps = await ProbeWakeUps.start(dumbbell.hosts.router);
      const fromMs = nowMs();
      // 200 frames at once: 100 find room
      await dumbbell.hosts.server.run(
        ['ping', '-q', '-f', '-c', '200', '-l', '200', '-s', '1472', '-W', '0.5', dumbbell.addresses.client],
        { allowFailure: true },
      );
      await sleep(300);
      const { sentPackets, droppedPackets, backlogPackets } = await shapedLink.counters();
      const end = (await shapedLink.endLog())!;
      assert.deepEqual([end.lost, backlogPackets], [0, 0]);
      const {
        queues: [digest],
      } = await digestQueueLog({
        file: log,
        unixOffsetMs: nowMs() - Number(process.hrtime.bigint()) / 1e6,
        fromMs,
        toMs: nowMs(),
        parties: (['server', 'other'] as const).map(name => ({
          server: dumbbell.addresses[name],
          client: dumbbell.addresses.client,
        })),
        lateMs: 190,
        bottlenecks: { down: plain },
      });
      assert.equal(digest!.conservation.holds, true, JSON.stringify(digest!.conservation));
      const pings = digest!.traffic.find(({ protocol }) => protocol === icmp)!;
      assert.deepEqual([pings.sentPackets, pings.droppedPackets.overflow], [sentPackets, droppedPackets]);
      assert.ok(
        droppedPackets >= 80 && sentPackets + droppedPackets === 200,
        `${sentPackets} sent, ${droppedPackets} dropped`,
      );
      // a queue in the kernel is held up with the machine
      const { maxUs, lateWakeUps } = await wakeUps.finish();
      const heldUpMs = lateWakeUps.reduce((sum, { durationMs }) => sum + durationMs, maxUs / 1e3);
      assert.ok(
        pings.delay!.maxMs > 100 && pings.delay!.maxMs < 140 + heldUpMs,
        `a full queue takes 121 ms: ${pings.delay!.maxMs} ms, of which the machine was held up for ${heldUpMs} ms`,
      );
    });

    if (backend !== 'mahimahi') hasSeedAndChanges(backend);
  });
}

/** The tests of what the shells of mahimahi do not have: seeded loss, schedules, changes under way. */
function hasSeedAndChanges(backend: BackendId): void {
  test('loses the packets that the seed foretells, before the queue and after it', async () => {
    for (const where of ['before', 'after'] as const) {
      await shapedLink.set({ ...plain, loss: { ...independent(0.03), where }, backend }, seed);
      const answered = await ping('server', '-c', '500', '-i', '0.001');
      const lost = Array.from({ length: 500 }, (_, k) => k).filter(k => !answered.has(k));
      assert.deepEqual(
        lost,
        predictedLosses(
          seed,
          independent(0.03),
          { source: dumbbell.addresses.server, destination: dumbbell.addresses.client, protocol: icmp },
          500,
        ),
        where,
      );
    }
  });

  test('changes its rate by the schedule, from the start it is given', async () => {
    await shapedLink.set({ ...plain, schedule: [{ atMs: 300, rateBps: 100e3, rampMs: 0 }], backend }, seed);
    await sleep(400);
    // five frames at once: the last waits for the others, 1.2 ms each at 10 Mbit/s, 115 ms each at 100 kbit/s
    const last = async () => Math.max(...(await ping('server', '-c', '5', '-l', '5', '-s', '1400')).values());
    const fast = await last();
    await shapedLink.start();
    await sleep(500);
    const slow = await last();
    assert.ok(fast < 30 && slow > 300 && slow < 600, `${fast} ms, then ${slow} ms`);
  });

  test('changes rate, limit and loss under way, and keeps every packet that waits', async () => {
    await shapedLink.set({ ...plain, rateBps: 1e6, backend }, seed);
    // sixty frames at once take 700 ms at 1 Mbit/s
    const burst = () => ping('server', '-c', '60', '-l', '60', '-s', '1400');
    const bursting = burst();
    await until(
      async () => ((await shapedLink.counters()).backlogPackets > 30 ? true : undefined),
      5000,
      'the burst to wait',
      { everyMs: 5 },
    );
    const changed = await shapedLink.change({ rateBps: 4e6, queue: { unit: 'packets', value: 10 } });
    assert.deepEqual([changed.rateBps, changed.queue], [4e6, { unit: 'packets', value: 10 }]);
    await shapedLink.verify();
    assert.equal((await bursting).size, 60, 'none was flushed');
    assert.equal((await shapedLink.counters()).droppedPackets, 0);
    const kept = (await burst()).size;
    assert.ok(kept >= 10 && kept < 25, `${kept} of 60 found room in a queue of 10`);

    const { sentPackets, droppedPackets } = await shapedLink.counters();
    await shapedLink.change({ loss: independent(1) });
    await shapedLink.verify();
    assert.equal((await ping('server', '-c', '5', '-i', '0.01')).size, 0);
    await shapedLink.change({ loss: { ...independent(1), where: 'after' } });
    await shapedLink.verify();
    assert.equal((await ping('server', '-c', '5', '-i', '0.01')).size, 0);
    await shapedLink.change({ loss: null });
    await shapedLink.verify();
    assert.equal((await ping('server', '-c', '5', '-i', '0.01')).size, 5);
    const after = await shapedLink.counters();
    assert.deepEqual(
      [after.sentPackets, after.droppedPackets],
      [sentPackets + 10, droppedPackets],
      'its counters go on; what is lost before the queue never was in it',
    );
    // whoever reads while the loss changes is answered
    await Promise.all(
      Array.from({ length: 8 }, (_, k) => [
        shapedLink.change({ loss: k % 2 === 0 ? independent(0.1 + k / 100) : null }),
        shapedLink.counters(),
        shapedLink.counters(),
      ]).flat(),
    );
  });

  test('refuses what cannot change under way', async () => {
    await shapedLink.set({ ...plain, schedule: [{ atMs: 0, rateBps: 1e6, rampMs: 0 }], backend }, seed);
    await assert.rejects(shapedLink.change({ rateBps: 2e6 }), {
      code: 'link-refused',
      message: /with a trace or a schedule/,
    });
    if (backend === 'emulator') return;
    await shapedLink.set({ ...plain, backend }, seed);
    await assert.rejects(shapedLink.change({ queue: { unit: 'ms', value: 50 } }), {
      code: 'link-refused',
      message: 'a pfifo queue cannot become a bfifo while packets wait in it',
    });
    await shapedLink.verify();
  });
}
