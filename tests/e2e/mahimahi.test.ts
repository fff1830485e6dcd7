/** Links of mahimahi's shells, on a machine that has them: what every backend keeps, and what is their own. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { nowMs } from '../../core/system/clock.ts';
import { sleep } from '../../core/system/deadline.ts';
import { type Link, plainLink } from '../../core/vocabulary/link.ts';
import { probeCapabilities } from '../../shaper/backend/capabilities.ts';
import { preflightLink } from '../../shaper/backend/preflight-link.ts';
import { runPreflight } from '../../shaper/calibrate/preflight.ts';
import { digestQueueLog } from '../../shaper/queue-log/digest.ts';
import { keepsItsLink } from './support/backend-tests.ts';
import { dumbbell, shapedLink, state } from './support/hosts.ts';
import { aqms, independent } from './support/links.ts';
import { cannotRun } from './support/run-command.ts';

const skip = cannotRun ?? (await probeCapabilities().shells()) ?? false;
const seed = 5;
const plain: Link = { ...plainLink(10e6, { unit: 'packets', value: 100 }), backend: 'mahimahi' };
const other = plain.paths['other']!;

const aqmOf = (id: string, params: object = {}): Link['aqm'] => {
  const aqm = aqms.get(id)!;
  return { id, title: aqm.title, params: aqm.params.parse(params) };
};

if (skip === false) keepsItsLink('mahimahi');

describe('backend mahimahi', { skip }, () => {
  test('two bottlenecks, delays and loss pass the preflight in both directions', async () => {
    const link: Link = {
      ...plain,
      queue: { unit: 'ms', value: 50 },
      loss: independent(0.02),
      up: {
        ...plain,
        rateBps: 4e6,
        queue: { unit: 'packets', value: 40 },
        loss: { ...independent(0.05), where: 'after' },
      },
      paths: { server: { ...other, downMs: 12, upMs: 30 }, other: { ...other, rttMs: 20 } },
    };
    const backend = await shapedLink.set(link, seed);
    for (const direction of ['down', 'up'] as const) {
      const asked = preflightLink(shapedLink, link, backend, seed, dumbbell, direction);
      const { readings, status } = await runPreflight(asked, { ...dumbbell, scratch: state });
      assert.notEqual(
        status,
        'refused',
        readings
          .filter(({ verdict }) => verdict === 'refused')
          .map(({ title, measured, tolerance }) => `${title}: ${measured}, not ${tolerance.low} to ${tolerance.high}`)
          .join('\n'),
      );
      const verdict = (id: string) => readings.find(one => one.id === id)?.verdict;
      assert.deepEqual([verdict('serialisation'), verdict('loss-list')], ['skipped', 'skipped'], direction);
    }
  });

  for (const aqm of [aqmOf('codel'), aqmOf('pie', { update: '30ms' })])
    test(`${aqm.title}: the log of both directions adds up, and agrees with the counters`, async () => {
      const log = join(state, `${aqm.id}.log`);
      const link: Link = { ...plain, aqm, up: { ...plain, aqm, rateBps: 1e6 } };
      await shapedLink.set(link, seed, { log });
      const fromMs = nowMs();
      // more than the way back carries, for two seconds or longer
      const { client } = dumbbell.addresses;
      await dumbbell.hosts.server.run(['ping', '-q', '-i', '0.002', '-c', '800', '-s', '1472', '-W', '0.5', client], {
        allowFailure: true,
      });
      await sleep(1500);
      const { up, ...down } = await shapedLink.counters();
      assert.equal(up!.backlogPackets, 0);
      const end = (await shapedLink.endLog())!;
      assert.equal(end.lost, 0);
      const { queues } = await digestQueueLog({
        file: log,
        unixOffsetMs: nowMs() - Number(process.hrtime.bigint()) / 1e6,
        fromMs,
        toMs: nowMs(),
        parties: [{ server: dumbbell.addresses.server, client }],
        lateMs: 190,
        bottlenecks: { down: link, up: link.up! },
      });
      for (const [direction, counters] of [
        ['down', down],
        ['up', up!],
      ] as const) {
        const { conservation, traffic } = queues.find(queue => queue.direction === direction)!;
        assert.equal(conservation.holds, true, JSON.stringify(conservation));
        const { sentPackets, droppedPackets } = traffic[0]!;
        assert.deepEqual(
          [sentPackets, droppedPackets.aqm + droppedPackets.overflow],
          [counters.sentPackets, counters.droppedPackets],
          direction,
        );
      }
      assert.ok(up!.droppedPackets > 10, `${up!.droppedPackets} of ${up!.sentPackets} dropped`);
    });

  test('counts the packets that mm-loss loses', async () => {
    await shapedLink.set({ ...plain, loss: { ...independent(0.3), where: 'after' } }, seed);
    const { stdout } = await dumbbell.hosts.server.run(
      ['ping', '-q', '-c', '200', '-i', '0.005', '-W', '0.2', dumbbell.addresses.client],
      { allowFailure: true },
    );
    const [, received] = /(\d+) received/.exec(stdout)!;
    const {
      loss: [lost],
      sentPackets,
    } = await shapedLink.counters();
    assert.deepEqual(
      [sentPackets, lost!.packets, lost!.lostPackets, lost!.lostBytes],
      [200, 200, 200 - Number(received), 84 * (200 - Number(received))],
    );
    assert.ok(lost!.lostPackets > 20);
  });

  test('refuses what the shells cannot do in one line', async () => {
    const refuses = (change: Partial<Link>, why: RegExp) =>
      assert.rejects(shapedLink.set({ ...plain, ...change }, seed), { code: 'missing-kernel-feature', message: why });
    await refuses({ aqm: aqmOf('fq-codel') }, /mahimahi: mm-link has no FQ-CoDel/);
    await refuses({ paths: { server: { ...other, downMs: 2.5 }, other } }, /mahimahi: mm-delay has whole ms/);
    await shapedLink.set(plain, seed);
    await assert.rejects(shapedLink.change({ rateBps: 2e6 }), {
      code: 'link-refused',
      message: /mm-link cannot change/,
    });
  });
});
