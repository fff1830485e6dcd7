import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstPort, lastPort, takePorts } from '../../../../../harness/services/iperf/ports.ts';
import { fakeHost } from '../../support/fake-host.ts';

const host = () => fakeHost('true');

test('two applications on one pair of hosts have ports of their own; what one releases another can have', () => {
  const [server, client] = [host(), host()];
  const first = takePorts(server, client, 2);
  const second = takePorts(server, client, 1);
  assert.deepEqual([first.ports, second.ports], [[5201, 5202], [5203]]);
  first.release();
  assert.deepEqual(takePorts(server, client, 3).ports, [5201, 5202, 5204]);
});

test('hosts of their own begin at the first port', () => {
  for (let k = 0; k < 2; k++) assert.deepEqual(takePorts(host(), host(), 1).ports, [firstPort]);
});

test('a host that two applications share tells them apart, whatever it is to each', () => {
  const [left, right, other] = [host(), host(), host()];
  assert.deepEqual(takePorts(left, right, 1).ports, [5201]);
  assert.deepEqual(takePorts(left, other, 1).ports, [5202], 'the same server');
  assert.deepEqual(takePorts(right, left, 1).ports, [5203], 'the other way');
});

test('more than there are is refused, and takes none', () => {
  const [server, client] = [host(), host()];
  const all = lastPort - firstPort + 1;
  takePorts(server, client, all - 1);
  assert.throws(() => takePorts(server, client, 2), {
    code: 'port-taken',
    message: 'iperf needs 2 more ports of 5201 to 7999, and 1 are free',
  });
  assert.deepEqual(takePorts(server, client, 1).ports, [lastPort]);
});
