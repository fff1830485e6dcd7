import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { test } from 'node:test';
import { localHost } from '../../../../../core/system/local-host.ts';
import { SocketReader, tcpSockets } from '../../../../../harness/trial/collect/tcp-sockets.ts';

test('a reader that stays tells the same as one that is started each time, in the order of the questions', async () => {
  const server = createServer(socket => socket.resume()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const reader = new SocketReader(localHost, port, port);
  try {
    assert.deepEqual(await reader.read(), []);
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    const [first, second] = await Promise.all([reader.read(), reader.read()]);
    const ports = (sockets: readonly { localPort: number; peerPort: number }[]) =>
      sockets.map(({ localPort, peerPort }) => [localPort, peerPort]).sort();
    assert.equal(first.length, 2, 'both ends');
    assert.deepEqual(ports(second), ports(first));
    assert.deepEqual(ports(await tcpSockets(localHost, port)), ports(first));
    socket.destroy();
  } finally {
    await reader.stop();
    server.close();
  }
  assert.ok(!reader.alive);
});

test('what is asked when it dies is refused', async () => {
  const reader = new SocketReader(localHost, 1, 1);
  const asked = reader.read();
  await reader.stop();
  const outcome = await asked.then(
    () => 'answered',
    (error: Error) => error.message,
  );
  assert.match(outcome, /answered|the reading of sockets ended/);
  await assert.rejects(reader.read(), /sockets/);
});
