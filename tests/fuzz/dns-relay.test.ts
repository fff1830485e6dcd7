/** Whatever comes to the name server of a client with a way out, from the client or from outside, it goes on answering. */
import assert from 'node:assert/strict';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { test } from 'node:test';
import fc from 'fast-check';
import { until } from '../../core/system/deadline.ts';
import { DnsRelay } from '../../shaper/topology/dns-relay.ts';
import { anyBytes, damaged } from './bytes.ts';
import { effort } from './effort.ts';

const seed = 20261124;
const headerBytes = 12;

async function bound(): Promise<Socket> {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return socket;
}

/** A query for the A record of www.example (RFC 1035, section 4.1), and an answer to it. */
const query = Buffer.concat([
  Buffer.from('abcd01000001000000000000', 'hex'),
  Buffer.from('\x03www\x07example\0\0\x01\0\x01', 'latin1'),
]);
const answer = Buffer.concat([query, Buffer.from('c00c000100010000003c0004c6336401', 'hex')]);
const packets = fc.oneof(damaged([query, answer]), anyBytes(600));

test('queries and answers of any bytes', { timeout: 120_000 }, async () => {
  const [server, client, stranger] = [await bound(), await bound(), await bound()];
  const relay = (await DnsRelay.open({ address: '127.0.0.1', port: 0 }, [
    { address: '127.0.0.1', port: server.address().port },
  ]))!;
  let asked: Buffer[] = [];
  let told: Buffer[] = [];
  // what another test on this machine sends to a port that it had before is from neither
  let upstream: number | undefined;
  server.on('message', (bytes, { port }) => {
    if (bytes.subarray(2).equals(query.subarray(2))) upstream ??= port;
    if (port === upstream) asked.push(bytes);
  });
  client.on('message', (bytes, { port }) => {
    if (port === relay.port) told.push(bytes);
  });
  const give = (socket: Socket, bytes: Buffer, port: number) =>
    new Promise<void>(resolve => socket.send(bytes, port, '127.0.0.1', () => resolve()));
  const soon = <T>(ask: () => T | undefined, what: string) => until(ask, 5000, what, { everyMs: 1 });
  try {
    await give(client, Buffer.from(query), relay.port);
    const port = await soon(() => upstream, 'a query, and with it the port that the relay asks from');
    await fc.assert(
      fc.asyncProperty(fc.array(packets, { maxLength: 4 }), packets, async (queries, reply) => {
        [asked, told] = [[], []];
        for (const bytes of queries) await give(client, Buffer.from(bytes), relay.port);
        // a stranger guesses the relay's port; the server answers what nobody has asked
        await give(stranger, Buffer.from(reply), port);
        await give(server, Buffer.from(reply), port);
        const last = Buffer.concat([query, Buffer.from(`the last ${Math.random()}`)]);
        await give(client, Buffer.from(last), relay.port);
        const passed = await soon(
          () => asked.find(bytes => bytes.subarray(2).equals(last.subarray(2))),
          'a query after all that',
        );
        assert.ok(asked.length <= queries.length + 1, 'no more is asked than was');
        for (const bytes of asked) assert.ok(bytes.length >= headerBytes, 'what is no query is passed to nobody');
        if (passed.subarray(0, 2).equals(reply.subarray(0, 2))) return; // one in 65536: it may be answered already
        await give(server, passed, port);
        await soon(() => told.find(bytes => bytes.equals(last)), 'its answer, under the number that it came with');
      }),
      // an answer that does not come is waited for: to look for a shorter example takes minutes
      { ...effort(seed, 300), endOnFailure: true },
    );
  } finally {
    relay.close();
    for (const socket of [server, client, stranger]) socket.close();
  }
});
