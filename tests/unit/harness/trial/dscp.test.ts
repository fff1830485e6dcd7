import assert from 'node:assert/strict';
import { test } from 'node:test';
import { networkBetween } from '../../../../core/system/network.ts';
import { markDscp } from '../../../../harness/trial/dscp.ts';
import { untilEnded } from '../../shaper/support/scripts.ts';
import { fakeHost } from '../support/fake-host.ts';

const route = '[{"dev":"eth0"}]';
const marks = () => fakeHost(untilEnded('echo "{\\"changed\\":1}"'), route);

test('both directions get the DSCP, with all clients', async () => {
  const [server, first, second] = [marks(), marks(), marks()];
  const network = networkBetween({ host: server, address: '10.0.1.2' }, { host: first, address: '10.0.2.2' }, [
    { host: second, address: '10.0.2.3' },
  ]);
  const markers = await markDscp(network, 46);
  assert.deepEqual(
    [server, first, second].map(({ asked }) => asked[0]!.at(-1)),
    ['10.0.2.2', '10.0.1.2', '10.0.1.2'],
  );
  for (const { started } of [server, first, second])
    assert.deepEqual(started[0]!.slice(3), ['eth0', '0', '0', 'all', '0', 'keep', '46']);
  await Promise.all(markers.map(marker => marker.stop()));
});

test('where one host cannot mark, nothing goes on', async () => {
  const server = marks();
  const client = fakeHost('echo "coexist-marker: clsact: Operation not permitted" >&2; exit 2', route);
  const network = networkBetween({ host: server, address: '10.0.1.2' }, { host: client, address: '10.0.2.2' });
  await assert.rejects(markDscp(network, 46), { code: 'missing-kernel-feature', exitStatus: 2 });
});
