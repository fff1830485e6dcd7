/**
 * TCP flows with ECN over a queue that marks: both ends agree, packets are marked in place of drops. Flows of a size, of
 * BBRv3 and without ECN: tests/long.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { agreesOnEcn, lastOfSenders, marking, network, shapedLink, skip, use } from './support/iperf-flows.ts';

describe('iperf with ECN', { skip }, () => {
  before(() => shapedLink?.set(marking('codel'), 1));

  agreesOnEcn('flows without an end', { flows: 2 });

  test('DCTCP-like flows send ECT(1): over DualPI2 they use the link and keep the L4S queue short', async () => {
    await shapedLink.set(marking('dualpi2'), 1);
    const used = await use({ congestionControl: 'dctcp-like', ecn: 'l4s' }, 6);
    const [reading] = lastOfSenders(used);
    assert.equal(used.transport!.label, 'DCTCP-like');
    assert.ok(reading!.ecn === true && reading!.deliveredCePackets! > 0, JSON.stringify(reading));
    assert.equal(reading!.bytesRetransmitted ?? 0, 0, 'nothing was lost');
    // the classic queue would hold 15 ms
    assert.ok(reading!.rttMs! < 8, `${reading!.rttMs} ms`);
    const bps = used.live.slice(3).map(({ goodputBps }) => goodputBps);
    assert.ok(Math.min(...bps) > 12e6, bps.join(' '));
    for (const host of Object.values(network.hosts)) {
      const offered = await host.read('/proc/sys/net/ipv4/tcp_available_congestion_control');
      assert.ok(!offered.includes('dctcp'), offered);
    }
    const { stdout } = await network.hosts.client.run(['ip', 'rule']);
    assert.equal(stdout.trim().split('\n').length, 3, stdout);
  });
});
