/** Tests that the round-trip time is not measured to addresses that are refused. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { test } from 'node:test';
import { internetRtt } from '../../../../../harness/services/live-url/internet-rtt.ts';
import { refusedNetworksOf, refuser } from '../../../../../shaper/topology/refused-networks.ts';

test('nobody is asked at an address that is refused, whether it is of IPv4 or not', async () => {
  let asked = 0;
  const server = createServer(socket => {
    asked++;
    socket.destroy();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    for (const host of ['127.0.0.1', '::ffff:127.0.0.1', '::1'])
      await assert.rejects(internetRtt(host, port, refuser(refusedNetworksOf([], []))), {
        code: 'service-failed',
        message: `${host} is ${host}, an address that is closed to live services`,
      });
    assert.equal(asked, 0);
  } finally {
    server.close();
  }
});
