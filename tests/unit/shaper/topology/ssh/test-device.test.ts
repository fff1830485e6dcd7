import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isInSameNetwork, networkOfDevice } from '../../../../../shaper/topology/ssh/test-device.ts';

const device = (address: string, prefixLength: number) => ({ device: 'eth1', address, prefixLength });

test('the network of a device, by its address and prefix', () => {
  assert.equal(networkOfDevice(device('10.77.1.2', 24)), '10.77.1.0/24');
  assert.equal(networkOfDevice(device('192.168.255.255', 20)), '192.168.240.0/20');
  assert.equal(networkOfDevice(device('172.16.0.9', 30)), '172.16.0.8/30');
});

test('two are in one network by the shorter prefix', () => {
  const at = (address: string, prefixLength = 24) => device(address, prefixLength);
  assert.ok(isInSameNetwork(at('10.77.1.1'), at('10.77.1.200')));
  assert.ok(!isInSameNetwork(at('10.77.1.1'), at('10.77.2.1')));
  assert.ok(isInSameNetwork(at('192.168.1.1', 16), at('192.168.200.1', 16)));
  assert.ok(isInSameNetwork(at('200.0.0.1', 0), at('10.0.0.1', 0)));
  assert.ok(!isInSameNetwork(at('10.0.0.1', 31), at('10.0.0.2', 31)));
  assert.ok(isInSameNetwork(at('10.77.1.2'), at('10.77.2.2', 16)));
});
