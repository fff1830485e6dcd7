import assert from 'node:assert/strict';
import { test } from 'node:test';
import { capabilitiesIn, linkTraces } from '../../../../shaper/backend/link-traces.ts';
import { fakeHost } from '../../harness/support/fake-host.ts';
import { canAll } from '../support/capabilities.ts';

test('all that a link puts on a router is taken off, each thing by a line of its own', () => {
  const left = ['eth1', 'eth3', 'eth3'].map(device => ({
    host: fakeHost('true'),
    address: '10.77.1.2',
    ownDevice: 'eth1',
    device,
    network: '10.77.1.0/24',
  }));
  const { tables, takeOff } = linkTraces({ left, bottleneckDevice: 'eth2' });
  assert.deepEqual(tables, [101, 102, 103]);
  assert.deepEqual(takeOff, [
    "tc qdisc del dev 'eth2' root",
    "tc qdisc del dev 'eth2' clsact",
    "tc qdisc del dev 'eth1' root",
    "tc qdisc del dev 'eth1' clsact",
    "tc qdisc del dev 'eth3' root",
    "tc qdisc del dev 'eth3' clsact",
    "ip link del dev 'lineDown'",
    "ip link del dev 'lineUp'",
    "ip link del dev 'fromClient'",
    "ip link del dev 'delay-eth1'",
    "ip link del dev 'delay-eth3'",
    ...[101, 102, 103].flatMap(table => [
      `while ip rule del pref ${table}; do :; done`,
      `ip route flush table ${table}`,
    ]),
  ]);
});

test('senders that share a device have no delay by netem, and several clients no loss by the kernel', async () => {
  const alone = capabilitiesIn(canAll, { sharesDevice: false, right: [1] });
  assert.deepEqual([await alone.netem(), await alone.loss()], [null, null]);
  const crowd = capabilitiesIn(canAll, { sharesDevice: true, right: [1, 2] });
  assert.match((await crowd.netem())!, /share a device/);
  assert.match((await crowd.loss())!, /several machines are on the right/);
});
