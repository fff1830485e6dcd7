/** iperf applications that come and go one after another on one pair of hosts, and their budgets of BBRv3. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sleep, until } from '../../core/system/deadline.ts';
import type { LiveValues } from '../../harness/services/service.ts';
import { isGone, lease, linkBps, meanBps, network, noBbr3, ports, skip, use } from '../e2e/support/iperf-flows.ts';
import { ofKind, useService } from '../e2e/support/services.ts';

describe('iperf', { skip }, () => {
  test('different budgets of BBRv3 at once are refused in one line; the first one goes on', {
    skip: noBbr3,
  }, async () => {
    const used = await useService(
      lease,
      network,
      'iperf',
      { congestionControl: 'bbr3', telemetry: false },
      0,
      async () => {
        await assert.rejects(use({ congestionControl: 'bbr3', bbr3Budget: 'kernel' }, 1), {
          code: 'missing-congestion-control',
          message: /loaded with the budget "draft", and "kernel" is wanted/,
        });
      },
    );
    assert.deepEqual([used.transport!.loaded!.budget, used.model.length], ['draft', 0]);
    assert.equal(
      (await use({ congestionControl: 'bbr3', bbr3Budget: 'kernel' }, 1)).transport!.loaded!.budget,
      'kernel',
      'after it another one may',
    );
  });

  test('flows begin one after another, and one that is stopped before all have begun ends in order', async () => {
    const three = { congestionControl: 'cubic', flows: 3, stagger: '1s' };
    const used = await useService(lease, network, 'iperf', three, 1, async running => {
      const all = async () => (await running.collect()) && (running.transport()!.flows.length === 3 || undefined);
      await until(all, 60_000, 'the start of three flows', { everyMs: 500 });
    });
    const starts = used.transport!.flows.map(({ startMs }) => startMs);
    // a busy machine may start one late, and none early
    for (const k of [1, 2]) assert.ok(starts[k]! - starts[0]! > k * 1000 - 50, starts.join());
    const early = await use({ congestionControl: 'cubic', flows: 3, stagger: '30s' }, 1);
    assert.equal(early.transport!.flows.length, 1);
    await isGone();
  });

  test('short transfers of BBRv3 beside a greedy flow of CUBIC', { skip: noBbr3 }, async () => {
    const used = await useService(lease, network, 'iperf', { congestionControl: 'cubic' }, 1, async () => {
      const short = await use({ congestionControl: 'bbr3', bytes: '64kB' }, 2);
      assert.deepEqual(
        short.transport!.flows.map(({ receivedBytes, model }) => [receivedBytes, model!.version]),
        [[64_000, 3]],
      );
      assert.equal(ofKind(short.records, 'batch').length, 1);
      assert.ok(short.model.length > 0 && short.model.every(({ port }) => ports(short).has(port)));
    });
    assert.deepEqual(
      used.transport!.flows.map(({ congestionControl }) => congestionControl),
      ['cubic'],
      'the rule of one does not touch the other',
    );
    await isGone();
  });

  test('one is stopped while it is being read and another goes on: its record is whole, nothing fails', async () => {
    const used = await useService(lease, network, 'iperf', { congestionControl: 'reno', flows: 2 }, 2, async () => {
      let reading: Promise<LiveValues> | undefined;
      let failed: Promise<never> | undefined;
      const early = await useService(lease, network, 'iperf', { congestionControl: 'cubic' }, 0, async running => {
        await sleep(1000);
        ({ failed } = running);
        reading = running.collect();
      });
      assert.ok((await reading!).goodputBps > 0);
      await Promise.race([failed, sleep(300)]);
      const transfers = ofKind(early.records, 'transfer');
      assert.equal(transfers.length, 2);
      assert.equal(transfers[1]!.receivedBytes, early.transport!.flows[0]!.receivedBytes);
      assert.equal(early.tcp.length, 4);
    });
    assert.deepEqual(
      used.transport!.flows.map(({ congestionControl }) => congestionControl),
      ['reno', 'reno'],
    );
    assert.ok(meanBps(used) > 0.5 * linkBps, `${meanBps(used)} bit/s`);
    await isGone();
  });
});
