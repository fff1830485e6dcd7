import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readReceived } from '../../../../shaper/topology/received.ts';
import { fakeHost } from '../../harness/support/fake-host.ts';

const device = (ifname: string, rx: number, tx: number) => ({
  ifname,
  stats64: { rx: { bytes: 1500 * rx, packets: rx }, tx: { bytes: 1500 * tx, packets: tx } },
});
const answer = (...devices: object[]) => JSON.stringify(devices);

test('one program for each host that counts tells of all, in the order that was asked for', async () => {
  const middle = fakeHost(
    'true',
    answer(device('uplink', 9, 8), device('port1', 1, 5), device('port2', 2, 3)),
    'switch',
  );
  const router = fakeHost('true', answer(device('toServer', 4, 7)), 'router');
  const read = await readReceived([
    { host: middle, device: 'port2', as: 'tx' },
    { host: router, device: 'toServer', as: 'tx' },
    { host: middle, device: 'port1', as: 'tx' },
    { host: router, device: 'toServer', as: 'rx' },
  ]);
  assert.deepEqual(
    read.map(({ bytes, packets }) => [bytes, packets]),
    [
      [4500, 3],
      [10_500, 7],
      [7500, 5],
      [6000, 4],
    ],
  );
  assert.equal(read[0]!.timeMs, read[2]!.timeMs);
  assert.deepEqual([middle.asked.length, router.asked.length], [1, 1]);
});

test('a device that is gone is named', async () => {
  await assert.rejects(readReceived([{ host: fakeHost('true', answer(), 'switch'), device: 'port3', as: 'tx' }]), {
    code: 'link-refused',
    message: 'the device port3 of switch is gone: its counters cannot be read',
  });
});
