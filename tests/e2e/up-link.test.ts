/**
 * A bottleneck in each direction, made for real by each backend: each has its own rate, queue and losses, and the log
 * tells them apart. That preflight proves both: tests/long.
 */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { nowMs } from '../../core/system/clock.ts';
import { sleep } from '../../core/system/deadline.ts';
import type { BackendId } from '../../core/vocabulary/backends.ts';
import { type Bottleneck, type Link, plainLink } from '../../core/vocabulary/link.ts';
import { linkProgram } from '../../shaper/emulator/link-program.ts';
import { digestQueueLog } from '../../shaper/queue-log/digest.ts';
import { predictedLosses } from '../../shaper/tc/loss.ts';
import { dumbbell, shapedLink, state } from './support/hosts.ts';
import { independent } from './support/links.ts';
import { cannotRun } from './support/run-command.ts';

const skip = cannotRun ?? (existsSync(linkProgram) ? false : 'needs the native helper: npm run setup');
const icmp = 1;
const seed = 7;

function withUp(backend: BackendId, change: Partial<Bottleneck> = {}): Link {
  const { rateBps, queue, aqm, ecn, loss, schedule, trace, ...link } = plainLink(20e6, { unit: 'packets', value: 500 });
  const down: Bottleneck = { rateBps, queue, aqm, ecn, loss, schedule, trace };
  return { ...link, ...down, up: { ...down, rateBps: 1e6, queue: { unit: 'packets', value: 20 }, ...change }, backend };
}

/** From the client to the server and back. */
const pingUp = (...words: string[]) =>
  dumbbell.hosts.client.run(['ping', '-n', '-q', '-W', '2', ...words, dumbbell.addresses.server], {
    allowFailure: true,
    timeoutMs: 60_000,
  });

for (const backend of ['emulator', 'tc'] as const)
  describe(`a bottleneck from the clients, formed by ${backend}`, { skip }, () => {
    test('has its own rate and queue, and both counters and both logs add up', async () => {
      const log = join(state, 'queue.log');
      const link = withUp(backend);
      await shapedLink.set(link, seed, { log });
      await shapedLink.verify();
      const fromMs = nowMs();
      // 50 frames of 1514 bytes at once: 20 find room, and take 242 ms
      await pingUp('-f', '-c', '50', '-l', '50', '-s', '1472');
      await sleep(400);
      const { up, sentPackets, droppedPackets } = await shapedLink.counters();
      assert.ok(up !== null);
      assert.deepEqual(
        [up.sentPackets + up.droppedPackets, up.backlogPackets, sentPackets, droppedPackets],
        [50, 0, up.sentPackets, 0],
        JSON.stringify(up),
      );
      assert.ok(up.sentPackets >= 20 && up.sentPackets < 30, `${up.sentPackets} of 50`);
      const end = (await shapedLink.endLog())!;
      assert.equal(end.lost, 0);
      const task = { file: log, unixOffsetMs: nowMs() - Number(process.hrtime.bigint()) / 1e6, fromMs, toMs: nowMs() };
      const parties = [{ server: dumbbell.addresses.server, client: dumbbell.addresses.client }];
      const {
        queues: [down, back],
      } = await digestQueueLog({ ...task, parties, lateMs: 190, bottlenecks: { down: link, up: link.up! } });
      assert.deepEqual([down!.conservation.holds, back!.conservation.holds], [true, true]);
      assert.deepEqual(
        down!.traffic.map(({ party, sentPackets: sent }) => [party, sent]),
        [[0, sentPackets]],
      );
      assert.deepEqual(
        back!.traffic.map(({ party, sentPackets: sent, droppedPackets: { overflow } }) => [party, sent, overflow]),
        [[0, up.sentPackets, up.droppedPackets]],
      );
      assert.ok(
        back!.traffic[0]!.delay!.maxMs > 200 && back!.traffic[0]!.delay!.maxMs < 300,
        `${back!.traffic[0]!.delay!.maxMs} ms`,
      );
    });

    test('loses the packets that the seed foretells, of every path', async () => {
      await shapedLink.set(withUp(backend, { loss: independent(0.2) }), seed);
      await shapedLink.verify();
      await Promise.all([
        pingUp('-c', '100', '-i', '0.01', '-W', '0.2'),
        dumbbell.hosts.client.run(
          ['ping', '-n', '-q', '-c', '50', '-i', '0.01', '-W', '0.2', dumbbell.addresses.other],
          { allowFailure: true },
        ),
      ]);
      const { loss } = await shapedLink.counters();
      for (const [name, packets] of [
        ['server', 100],
        ['other', 50],
      ] as const) {
        const destination = dumbbell.addresses[name];
        const predicted = predictedLosses(
          seed,
          independent(0.2),
          { source: dumbbell.addresses.client, destination, protocol: icmp },
          packets,
        );
        const flow = loss.find(one => one.source === dumbbell.addresses.client && one.destination === destination)!;
        assert.deepEqual([flow.packets, flow.lostPackets], [packets, predicted.length], name);
      }
    });

    test('follows its own schedule', async () => {
      await shapedLink.set(withUp(backend, { schedule: [{ atMs: 0, rateBps: 100e3, rampMs: 0 }] }), seed);
      const slowest = async () =>
        Number(
          /= [\d.]+\/[\d.]+\/([\d.]+)\//.exec((await pingUp('-c', '4', '-l', '4', '-s', '1400', '-W', '5')).stdout)![1],
        );
      const before = await slowest();
      await shapedLink.start();
      const later = await slowest();
      // four frames: 12 ms each at 1 Mbit/s, 115 ms at 100 kbit/s; HTB lets the first one through at once
      assert.ok(before < 100 && later > 300, `${before} ms, then ${later} ms`);
    });

    test('is gone with its link', async () => {
      await shapedLink.set(withUp(backend, { loss: { ...independent(0.2), where: 'after' } }), seed);
      await shapedLink.verify();
      assert.equal((await pingUp('-c', '5', '-i', '0.01')).stdout.includes('5 packets transmitted'), true);
      assert.ok((await shapedLink.counters()).up!.sentPackets >= 5);
      await shapedLink.clear();
      assert.match((await pingUp('-c', '20', '-i', '0.01')).stdout, /20 received, 0% packet loss/);
      const devices = (
        JSON.parse((await dumbbell.hosts.router.run(['ip', '-j', 'link'])).stdout) as { ifname: string }[]
      )
        .map(({ ifname }) => ifname)
        .sort();
      assert.deepEqual(devices, ['lo', 'toClient', 'toFlooder', 'toServer']);
      const { stdout } = await dumbbell.hosts.server.run(['tc', 'qdisc', 'show']);
      assert.ok(!stdout.includes('clsact'), stdout);
    });
  });
