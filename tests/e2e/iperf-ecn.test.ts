/** TCP flows with classic ECN over a queue that marks: both ends agree, packets are marked in place of drops. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Lease } from '../../core/system/lease.ts';
import type { Network } from '../../core/system/network.ts';
import { type Link, plainLink } from '../../core/vocabulary/link.ts';
import type { ShapedLink } from '../../shaper/backend/shaped-link.ts';
import { Dumbbell } from '../../shaper/topology/dumbbell.ts';
import { twoSenders } from '../../shaper/topology/legs.ts';
import { temporaryFolder } from '../unit/harness/support/folder.ts';
import { whyNoBbr3 } from './support/bbr3.ts';
import { aqms, shapedLinkOf } from './support/links.ts';
import { type Used, useService } from './support/services.ts';
import type { TwoSenders } from './support/two-senders.ts';

process.env['COEXIST_STATE_DIR'] = temporaryFolder();
const skip = process.getuid?.() === 0 ? false : 'needs root';
const noBbr3 = (await whyNoBbr3()) ?? false;

/** A link of 20 Mbit/s whose queue marks, with room for far more than that. */
function marking(id: 'codel' | 'dualpi2'): Link {
  const { title, params } = aqms.get(id)!;
  return {
    ...plainLink(20e6, { unit: 'packets', value: 1000 }),
    aqm: { id, title, params: params.parse({}) as Record<string, unknown> },
    ecn: true,
    backend: 'emulator',
  };
}

describe('iperf with ECN', { skip }, () => {
  let lease: Lease;
  let dumbbell: TwoSenders;
  let link: ShapedLink;
  let network: Network;

  before(async () => {
    lease = Lease.open();
    dumbbell = await Dumbbell.build(lease, twoSenders);
    network = dumbbell.network('server', 'client');
    link = shapedLinkOf(dumbbell);
    await link.set(marking('codel'), 1);
  });
  after(async () => {
    await link?.clear();
    await dumbbell?.remove();
    lease?.release();
  });

  /** The last readings of the senders. */
  const last = ({ tcp }: Used) => {
    const senders = tcp.filter(({ end }) => end === 'sender');
    return new Map(senders.map(reading => [reading.port, reading])).values().toArray();
  };

  for (const [name, params] of [
    ['flows without an end', { flows: 2 }],
    ['flows of a size', { flows: 2, bytes: '6MB' }],
  ] as const) {
    test(`${name} agree on ECN, and marks take the place of drops`, async () => {
      const readings = last(
        await useService(lease, network, 'iperf', { ...params, congestionControl: 'cubic', ecn: 'classic' }, 4),
      );
      assert.equal(readings.length, 2);
      for (const { ecn, deliveredCePackets = 0, bytesRetransmitted = 0 } of readings)
        assert.deepEqual([ecn, deliveredCePackets > 0, bytesRetransmitted], [true, true, 0]);
      for (const host of Object.values(network.hosts)) {
        const { stdout } = await host.run(['ip', 'rule']);
        assert.equal(stdout.trim().split('\n').length, 3, stdout);
      }
    });
  }

  test('without it nothing is marked', async () => {
    const [reading] = last(await useService(lease, network, 'iperf', { congestionControl: 'cubic' }, 3));
    assert.deepEqual([reading!.ecn, reading!.deliveredCePackets], [undefined, undefined]);
  });

  test('BBRv3 takes CE marks for congestion, as the draft demands (section 3.7)', { skip: noBbr3 }, async () => {
    const used = await useService(lease, network, 'iperf', { congestionControl: 'bbr3', ecn: 'classic' }, 6);
    const [reading] = last(used);
    const samples = used.model.filter(record => record.kind === 'sample');
    assert.ok(reading!.ecn === true && reading!.deliveredCePackets! > 0, JSON.stringify(reading));
    assert.equal(reading!.bytesRetransmitted ?? 0, 0, 'nothing was lost');
    assert.ok(samples.at(-1)!.lossRounds > 0, 'its rounds with marks count as rounds with losses');
  });

  test('DCTCP-like flows send ECT(1): over DualPI2 they use the link and keep the L4S queue short', async () => {
    await link.set(marking('dualpi2'), 1);
    const scalable = { congestionControl: 'dctcp-like', ecn: 'l4s' };
    const used = await useService(lease, network, 'iperf', scalable, 6);
    const [reading] = last(used);
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
