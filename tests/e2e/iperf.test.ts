/**
 * Several iperf applications at once on one pair of hosts: each has its own ports, congestion control, series and end.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sleep, until, within } from '../../core/system/deadline.ts';
import { Lease } from '../../core/system/lease.ts';
import type { Network } from '../../core/system/network.ts';
import type { LiveValues } from '../../harness/services/service.ts';
import { Dumbbell } from '../../shaper/topology/dumbbell.ts';
import { twoSenders } from '../../shaper/topology/legs.ts';
import { temporaryFolder } from '../unit/harness/support/folder.ts';
import { whyNoBbr3 } from './support/bbr3.ts';
import { shapedLinkOf, tcLink } from './support/links.ts';
import { ofKind, type Used, useService } from './support/services.ts';
import type { TwoSenders } from './support/two-senders.ts';

const linkBps = 20e6;
process.env['COEXIST_STATE_DIR'] = temporaryFolder();
const skip = process.getuid?.() === 0 ? false : 'needs root';
const noBbr3 = (await whyNoBbr3()) ?? false;

describe('iperf', { skip }, () => {
  let lease: Lease;
  let dumbbell: TwoSenders;
  let network: Network;

  before(async () => {
    lease = Lease.open();
    dumbbell = await Dumbbell.build(lease, twoSenders);
    network = dumbbell.network('server', 'client');
    await shapedLinkOf(dumbbell).set(tcLink(linkBps, { unit: 'packets', value: 256 }), 1);
  });
  after(async () => {
    await dumbbell.remove();
    lease.release();
  });

  const use = (params: object, seconds: number) => useService(lease, network, 'iperf', params, seconds);
  /** Of what its receivers took from one time to another, between the readings in a straight line. */
  const meanBps = ({ records }: Used, fromMs = -Infinity, toMs = Infinity) => {
    const transfers = ofKind(records, 'transfer');
    const bytesAt = (timeMs: number) => {
      const k = Math.max(
        1,
        transfers.findIndex(transfer => transfer.timeMs >= timeMs),
      );
      const [before, after] = [transfers[k - 1]!, transfers[k]!];
      return (
        before.receivedBytes +
        ((after.receivedBytes - before.receivedBytes) * (timeMs - before.timeMs)) / (after.timeMs - before.timeMs)
      );
    };
    const [beginMs, endMs] = [Math.max(fromMs, transfers[0]!.timeMs), Math.min(toMs, transfers.at(-1)!.timeMs)];
    return ((bytesAt(endMs) - bytesAt(beginMs)) * 8000) / (endMs - beginMs);
  };
  const ports = ({ tcp }: Used) => new Set(tcp.map(({ port }) => port));

  async function isGone(): Promise<void> {
    for (const role of ['server', 'client'] as const)
      assert.deepEqual(await network.hosts[role].processIds(), [], role);
    const { stdout } = await network.hosts.server.run(['ip', 'rule']);
    assert.equal(stdout.trim().split('\n').length, 3, stdout);
  }

  test('CUBIC and BBRv3 side by side share the link, and each has its own account', { skip: noBbr3 }, async () => {
    const [cubic, bbr3] = await Promise.all([
      use({ congestionControl: 'cubic', flows: 2 }, 3),
      use({ congestionControl: 'bbr3' }, 3),
    ]);
    const ends = [cubic, bbr3].map(({ records }) => ofKind(records, 'transfer').map(({ timeMs }) => timeMs));
    const rates = [cubic, bbr3].map(used =>
      meanBps(used, Math.max(...ends.map(times => times[0]!)), Math.min(...ends.map(times => times.at(-1)!))),
    );
    const sumBps = rates[0]! + rates[1]!;
    assert.ok(
      sumBps > 0.5 * linkBps && sumBps < 1.05 * linkBps && Math.min(...rates) > 0.05 * linkBps,
      `${rates.join(' and ')} bit/s`,
    );
    for (const [used, label, control, flows] of [
      [cubic, 'CUBIC', 'cubic', 2],
      [bbr3, 'BBRv3 (draft-ietf-ccwg-bbr)', 'bbr3', 1],
    ] as const) {
      assert.equal(used.transport!.label, label);
      assert.deepEqual(
        used.transport!.flows.map(({ congestionControl }) => congestionControl),
        Array(flows).fill(control),
      );
      assert.deepEqual(ports(used), new Set(used.transport!.flows.map(({ port }) => port)));
      assert.ok(
        used.tcp.filter(({ end }) => end === 'sender').every(({ congestionControl }) => congestionControl === control),
      );
      assert.equal(
        used.tcp.filter(({ end }) => end === 'receiver').length,
        4 * flows,
        'one reading a second of each flow',
      );
      const received = ofKind(used.records, 'transfer').map(({ receivedBytes }) => receivedBytes);
      assert.equal(
        received.at(-1),
        used.transport!.flows.reduce((sum, flow) => sum + flow.receivedBytes!, 0),
      );
    }
    assert.equal(cubic.model.length, 0);
    assert.ok(
      bbr3.model.filter(({ kind }) => kind === 'sample').length > 20 && bbr3.model.some(({ kind }) => kind === 'event'),
    );
    assert.ok(bbr3.model.every(({ port }) => ports(bbr3).has(port)));
    await isGone();
  });

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

  test('flows of a size carry exactly that, each in its time, and are over; what they used stays known', async () => {
    const used = await use({ congestionControl: 'reno', flows: 3, bytes: '300kB', stagger: '500ms' }, 3);
    const over = ofKind(used.records, 'batch');
    assert.deepEqual(
      over.map(({ number, bytes }) => [number, bytes]),
      [
        [1, 300_000],
        [2, 300_000],
        [3, 300_000],
      ],
    );
    // 207 full segments at 20 Mbit/s take 125 ms
    for (const { durationMs } of over) assert.ok(durationMs > 100 && durationMs < 1500, `${durationMs} ms`);
    const { label, flows } = used.transport!;
    assert.equal(label, 'Reno');
    assert.deepEqual(
      flows.map(({ congestionControl, sentBytes, receivedBytes, retransmittedBytes }) => [
        congestionControl,
        sentBytes! - retransmittedBytes!,
        receivedBytes,
      ]),
      Array(3).fill(['reno', 300_000, 300_000]),
    );
    for (let k = 1; k < 3; k++)
      assert.ok(Math.abs(flows[k]!.startMs - flows[k - 1]!.startMs - 500) < 400, JSON.stringify(flows));
    assert.equal(used.live.at(-1)!.goodputBps, 0, 'nothing more comes');
    assert.equal(ports(used).size, 3);
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

  test('an iperf3 that is killed is told, at either end', async () => {
    for (const [role, reason] of [
      ['server', /^iperf3 ended in the middle of the trial/],
      ['client', /iperf3.* ended in the middle of the trial/],
    ] as const) {
      await useService(lease, network, 'iperf', { congestionControl: 'cubic' }, 0, async running => {
        for (const id of await network.hosts[role].processIds()) process.kill(id, 'SIGKILL');
        await assert.rejects(within(running.failed, 30_000, 'the news'), { code: 'service-failed', message: reason });
      });
    }
    await isGone();
  });
});
