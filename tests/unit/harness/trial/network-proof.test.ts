import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CoexistError } from '../../../../core/errors.ts';
import { NetworkProof } from '../../../../harness/trial/network-proof.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { fakeHost } from '../support/fake-host.ts';

function dumbbell() {
  const asked: unknown[] = [];
  const end = (name: string) => ({
    host: fakeHost('true', '', name),
    address: '10.0.1.2',
    ownDevice: 'o',
    device: 'd',
    network: 'n',
  });
  return {
    asked,
    left: [end('left-1'), end('left-2')],
    right: [end('right-1'), end('right-2')],
    checkRoutes: async (places?: readonly number[]) => void asked.push(places),
    checkOffloads: async () => void asked.push('offloads'),
  };
}

test('routes are proved before each trial, for the hosts in use; offloads once, and it is said when', async () => {
  const [clock, network] = [new VirtualClock(1000), dumbbell()];
  const proof = new NetworkProof(network, clock);
  assert.deepEqual(await proof.of([1], []), { hosts: ['left-2', 'right-2'], routesMs: 1000, offloadsMs: 1000 });
  await clock.run(new Promise<void>(resolve => void clock.after(500, resolve)));
  const behind = { checkOffloads: async () => void network.asked.push('behind') };
  assert.deepEqual(await proof.of([0], [behind]), { hosts: ['left-1', 'right-1'], routesMs: 1500, offloadsMs: 1000 });
  await proof.of([0, 1], [behind]);
  assert.deepEqual(network.asked, [[1], 'offloads', [0], 'behind', [0, 1]]);
});

test('offloads that were refused are looked at again', async () => {
  const network = dumbbell();
  let isOn = true;
  const proof = new NetworkProof({
    ...network,
    checkOffloads: async () => {
      if (isOn) throw new CoexistError('link-refused', 'offloads are on');
    },
  });
  await assert.rejects(proof.of([0], []), { code: 'link-refused' });
  await assert.rejects(proof.of([0], []), { code: 'link-refused' });
  isOn = false;
  await proof.of([0], []);
});
