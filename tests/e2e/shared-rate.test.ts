/** Two senders to two clients over one bottleneck: together they get its rate. The rest of such hosts: tests/process. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Host } from '../../core/system/host.ts';
import { Lease } from '../../core/system/lease.ts';
import { Dumbbell } from '../../shaper/topology/dumbbell.ts';
import { temporaryFolder } from '../unit/harness/support/folder.ts';
import { shapedLinkOf, tcLink } from './support/links.ts';
import { cannotRun } from './support/run-command.ts';

const rateBps = 4e6;
const seconds = 2;
const flood = ['-f', '-l', '50', '-s', '1400', '-w', String(seconds)];
const ping = (from: Host, to: string) => from.run(['ping', '-n', '-q', ...flood, to], { allowFailure: true });

test('two senders to two clients get the rate of one link, and fill its queue', {
  skip: cannotRun ?? false,
}, async () => {
  const lease = Lease.open(temporaryFolder());
  const dumbbell = await Dumbbell.build(lease, { left: ['server', 'other'], right: ['client', 'client-2'] });
  try {
    const shapedLink = shapedLinkOf(dumbbell);
    await shapedLink.set(tcLink(rateBps, { unit: 'packets', value: 20 }), 1);
    const { hosts, addresses } = dumbbell;
    await Promise.all([ping(hosts.server, addresses.client), ping(hosts.other, addresses['client-2'])]);
    const { sentBytes, droppedPackets } = await shapedLink.counters();
    const gotBps = (sentBytes * 8) / seconds;
    assert.ok(
      gotBps > 0.9 * rateBps && gotBps < 1.1 * rateBps && droppedPackets > 100,
      `${gotBps} bit/s, ${droppedPackets} dropped`,
    );
  } finally {
    await dumbbell.remove();
    lease.release();
  }
});
