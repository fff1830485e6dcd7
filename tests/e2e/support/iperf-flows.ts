/** iperf services between hosts that all tests of the file that imports this share. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Lease } from '../../../core/system/lease.ts';
import type { Network } from '../../../core/system/network.ts';
import { type Link, plainLink } from '../../../core/vocabulary/link.ts';
import type { ShapedLink } from '../../../shaper/backend/shaped-link.ts';
import { Dumbbell } from '../../../shaper/topology/dumbbell.ts';
import { twoSenders } from '../../../shaper/topology/legs.ts';
import { temporaryFolder } from '../../unit/harness/support/folder.ts';
import { whyNoBbr3 } from './bbr3.ts';
import { aqms, shapedLinkOf, tcLink } from './links.ts';
import { ofKind, type Used, useService } from './services.ts';
import type { TwoSenders } from './two-senders.ts';

export const linkBps = 20e6;
after(async () => {
  // before its folder goes
  await shapedLink?.clear();
  await dumbbell?.remove();
  lease?.release();
});
process.env['COEXIST_STATE_DIR'] = temporaryFolder();
export const skip = process.getuid?.() === 0 ? false : 'needs root';
export const noBbr3 = (await whyNoBbr3()) ?? false;

export let lease: Lease;
let dumbbell: TwoSenders;
export let network: Network;
/** At first of tc, with a FIFO. */
export let shapedLink: ShapedLink;

before(async () => {
  if (skip !== false) return;
  lease = Lease.open();
  dumbbell = await Dumbbell.build(lease, twoSenders);
  network = dumbbell.network('server', 'client');
  shapedLink = shapedLinkOf(dumbbell);
  await shapedLink.set(tcLink(linkBps, { unit: 'packets', value: 256 }), 1);
});
/** Uses an iperf service for so long. */
export const use = (params: object, seconds: number) => useService(lease, network, 'iperf', params, seconds);
/** Mean rate at its receivers from one time to another, between the readings in a straight line. */
export const meanBps = ({ records }: Used, fromMs = -Infinity, toMs = Infinity) => {
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
/** Ports of its flows. */
export const ports = ({ tcp }: Used) => new Set(tcp.map(({ port }) => port));

/** Nothing is left on the hosts. */
export async function isGone(): Promise<void> {
  for (const role of ['server', 'client'] as const) assert.deepEqual(await network.hosts[role].processIds(), [], role);
  const { stdout } = await network.hosts.server.run(['ip', 'rule']);
  assert.equal(stdout.trim().split('\n').length, 3, stdout);
}

/** A link of that rate whose queue marks, with room for far more than that. */
export function marking(id: 'codel' | 'dualpi2'): Link {
  const { title, params } = aqms.get(id)!;
  return {
    ...plainLink(linkBps, { unit: 'packets', value: 1000 }),
    aqm: { id, title, params: params.parse({}) as Record<string, unknown> },
    ecn: true,
    backend: 'emulator',
  };
}

/** The last readings of the senders. */
export const lastOfSenders = ({ tcp }: Used) => {
  const senders = tcp.filter(({ end }) => end === 'sender');
  return new Map(senders.map(reading => [reading.port, reading])).values().toArray();
};

/** A test that flows of CUBIC with these parameters agree on ECN. The queue of the link marks. */
export function agreesOnEcn(name: string, params: object): void {
  test(`${name} agree on ECN, and marks take the place of drops`, async () => {
    const readings = lastOfSenders(await use({ ...params, congestionControl: 'cubic', ecn: 'classic' }, 4));
    assert.equal(readings.length, 2);
    for (const { ecn, deliveredCePackets = 0, bytesRetransmitted = 0 } of readings)
      assert.deepEqual([ecn, deliveredCePackets > 0, bytesRetransmitted], [true, true, 0]);
    for (const host of Object.values(network.hosts)) {
      const { stdout } = await host.run(['ip', 'rule']);
      assert.equal(stdout.trim().split('\n').length, 3, stdout);
    }
  });
}
