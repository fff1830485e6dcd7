/**
 * Several iperf applications at once on one pair of hosts: each has its own ports, congestion control, series and end.
 * Flows that come and go one after another: tests/long.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { within } from '../../core/system/deadline.ts';
import { isGone, lease, linkBps, meanBps, network, noBbr3, ports, skip, use } from './support/iperf-flows.ts';
import { ofKind, useService } from './support/services.ts';

describe('iperf', { skip }, () => {
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
