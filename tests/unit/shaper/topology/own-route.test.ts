import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkOwnRoute } from '../../../../shaper/topology/routes.ts';
import { fakeHost } from '../../harness/support/fake-host.ts';

const answers = (device: string) => fakeHost('true', JSON.stringify([{ dst: '10.0.1.2', dev: device }]), 'left-1');

test('packets of a host to itself stay on it, or the link is refused', async () => {
  const host = answers('lo');
  await checkOwnRoute(host, '10.0.1.2');
  assert.deepEqual(host.asked, [['ip', '-j', 'route', 'get', '10.0.1.2']]);
  await assert.rejects(checkOwnRoute(answers('eth0'), '10.0.1.2'), {
    code: 'link-refused',
    message: 'route check: left-1 would reach itself by eth0, not by its loopback',
  });
});
