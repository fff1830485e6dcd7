/** The two programs of short-flows, on the loopback. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { test } from 'node:test';
import { until } from '../../core/system/deadline.ts';
import { localHost } from '../../core/system/local-host.ts';
import { ServerProgram } from '../../harness/services/shared/server-program.ts';
import { burstsOf } from '../../harness/services/short-flows/bursts.ts';
import { type Received, readReceived } from '../../harness/services/short-flows/received.ts';

const host = '127.0.0.1';
const deadlineMs = 30_000;
const programs = new URL('../../harness/services/short-flows/', import.meta.url);
const options = { connections: 4, minBytes: 2000, maxBytes: 90_000, idleMs: 50 };

async function freePort(): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

const start = (end: 'sender' | 'receiver', config: object) =>
  ServerProgram.start(localHost, `the ${end}`, new URL(`${end}.ts`, programs), config);

test('bursts of files come in their sizes, each connection with its time', async () => {
  const to = { host, port: await freePort() };
  const sender = await start('sender', to);
  try {
    const receiver = await start('receiver', { ...to, ...options, sources: 2, on: 1, seed: 3 });
    try {
      const ended: Received['ended'] = [];
      let last: Received | undefined;
      const read = async () => {
        last = readReceived(await receiver.ask('read', deadlineMs), { name: 'here' });
        ended.push(...last.ended);
      };
      await read();
      assert.deepEqual(last, { receivedBytes: 0, open: 0, ended: [] }, 'nothing before it begins');
      receiver.tell('begin');
      const isEnough = async () => {
        await read();
        return ended.length >= 24 || undefined;
      };
      await until(isEnough, deadlineMs, '24 connections');
      const sizes = [true, false].flatMap((isOn, source) =>
        burstsOf(options, 3, source, isOn)
          .take(50)
          .toArray()
          .flatMap(burst => burst.sizes),
      );
      for (const { bytes, durationMs } of ended) {
        assert.ok(sizes.includes(bytes), `${bytes} bytes were not asked for`);
        assert.ok(durationMs > 0);
      }
      assert.ok(last!.receivedBytes >= ended.reduce((sum, { bytes }) => sum + bytes, 0));
    } finally {
      await receiver.close();
    }
  } finally {
    await sender.close();
  }
});

test('a request that is no size is closed without an answer, and the next one is served', async () => {
  const to = { host, port: await freePort() };
  const sender = await start('sender', to);
  const ask = async (request: string) => {
    const socket = connect({ ...to, allowHalfOpen: false });
    let bytes = 0;
    socket.on('data', chunk => {
      bytes += chunk.length;
      if (bytes === 5000) socket.end();
    });
    socket.on('error', () => {});
    socket.write(request);
    await once(socket, 'close');
    return bytes;
  };
  try {
    for (const request of ['GET / HTTP/1.1\r\n', '99999999999999999\n', '5\n\n']) assert.ok((await ask(request)) <= 5);
    assert.equal(await ask('5000\n'), 5000);
  } finally {
    await sender.close();
  }
});

test('a connection that is refused ends the receiver with the reason', async () => {
  const receiver = await start('receiver', { host, port: await freePort(), ...options, sources: 1, on: 1, seed: 3 });
  try {
    receiver.tell('begin');
    await assert.rejects(receiver.failed, { code: 'server-died', message: /a connection broke: .*ECONNREFUSED/ });
  } finally {
    await receiver.close();
  }
});
