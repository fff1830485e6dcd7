import assert from 'node:assert/strict';
import { test } from 'node:test';
import { receivedBytes } from '../../../../../harness/services/live-url/device-bytes.ts';
import { fakeHost } from '../../support/fake-host.ts';

const devices = (...names: string[]) =>
  fakeHost(
    'true',
    JSON.stringify(
      names.map((ifname, k) => ({
        ifname,
        stats64: { rx: { bytes: 100 * (k + 1), packets: k }, tx: { bytes: 0, packets: 0 } },
      })),
    ),
  );

test('of all devices but the loopback', async () => {
  assert.equal(await receivedBytes(devices('lo', 'eth0', 'eth1')), 500);
  await assert.rejects(receivedBytes(devices('lo')), { code: 'service-failed' });
});
