import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { test } from 'node:test';
import { until } from '../../../../../core/system/deadline.ts';
import { localHost } from '../../../../../core/system/local-host.ts';
import { ServerProgram } from '../../../../../harness/services/shared/server-program.ts';
import { plugin } from '../../../../../harness/services/udp-flow/index.ts';
import { Account, packet, type Received } from '../../../../../harness/services/udp-flow/packet.ts';

test('packets are counted, those that are missing, and those that come late', () => {
  const account = new Account();
  for (const number of [0, 1, 4, 3, 5]) account.take(packet(number, 100));
  account.take(Buffer.from('short'));
  assert.deepEqual(account.received, { packets: 5, bytes: 500, latePackets: 1, missingPackets: 1 });
});

test('no two packets in a row are alike, and a number may be beyond four bytes', () => {
  assert.equal(packet(2 ** 33, 1200).length, 1200);
  assert.notDeepEqual(packet(1, 1200).subarray(6), packet(2, 1200).subarray(6));
  const account = new Account();
  account.take(packet(2 ** 33, 16));
  assert.equal(account.received.missingPackets, 2 ** 33);
});

test('its cap is what its packets are on the link', () => {
  assert.equal(plugin.capBps(plugin.params.parse({ rate: '1mbit', packetBytes: 1000 })), 1.042e6);
  const changes = [
    { after: '2s', rate: '3mbit' },
    { after: '3s', rate: '0mbit' },
  ];
  assert.equal(plugin.capBps(plugin.params.parse({ rate: '1mbit', packetBytes: 1000, changes })), 3.126e6);
});

/** Returns a UDP port of the loopback that is free now. */
async function freePort(): Promise<number> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address();
  socket.close();
  return port;
}

test('the sender begins when it is called, and the receiver tells what came', async () => {
  const host = '127.0.0.1';
  const to = { host, port: await freePort() };
  const programs = new URL('../../../../../harness/services/udp-flow/', import.meta.url);
  const lines: string[] = [];
  const sender = await ServerProgram.start(localHost, 'the sender', new URL('sender.ts', programs), {
    ...to,
    rateBps: 1e6,
    packetBytes: 500,
    changes: [],
  });
  try {
    const receiver = await ServerProgram.start(
      localHost,
      'the receiver',
      new URL('receiver.ts', programs),
      { ...to, address: host },
      line => lines.push(line),
    );
    try {
      const read = async () => {
        const before = lines.length;
        receiver.tell('read');
        return JSON.parse(await until(() => lines[before], 30_000, 'an answer')) as Received;
      };
      assert.equal((await read()).packets, 0, 'nothing before it is called');
      receiver.tell('begin');
      const { packets, bytes } = await until(
        async () => {
          const received = await read();
          return received.packets >= 100 ? received : undefined;
        },
        30_000,
        'a hundred packets',
      );
      assert.equal(bytes, packets * 500);
    } finally {
      await receiver.close();
    }
  } finally {
    await sender.close();
  }
});
