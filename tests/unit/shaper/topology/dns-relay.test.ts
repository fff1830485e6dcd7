import assert from 'node:assert/strict';
import { createSocket, type Socket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { after, test } from 'node:test';
import { DnsRelay, nameServersIn } from '../../../../shaper/topology/dns-relay.ts';

const open: { close(): void }[] = [];
after(() => {
  for (const thing of open) thing.close();
});

/** A name server that answers every query with an address, or not at all. Returns its queries. */
async function server(address: number[] | null): Promise<{ port: number; queries: Buffer[] }> {
  const socket: Socket = createSocket('udp4');
  open.push(socket);
  const queries: Buffer[] = [];
  socket.on('message', (query, from) => {
    queries.push(Buffer.from(query));
    if (address === null) return;
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(0x8180, 2);
    [1, 1, 0, 0].forEach((count, k) => header.writeUInt16BE(count, 4 + 2 * k));
    const question = query.subarray(12, query.indexOf(0, 12) + 5);
    socket.send(
      Buffer.concat([header, question, Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...address])]),
      from.port,
      from.address,
    );
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { port: socket.address().port, queries };
}

const local = (port: number) => ({ address: '127.0.0.1', port });

async function opened(servers: { port: number }[]): Promise<DnsRelay> {
  const relay = await DnsRelay.open(
    local(0),
    servers.map(({ port }) => local(port)),
  );
  open.push(relay!);
  return relay!;
}

function ask(relay: DnsRelay, name: string, timeout = 30_000): Promise<string[]> {
  const resolver = new Resolver({ timeout, tries: 1 });
  resolver.setServers([`127.0.0.1:${relay.port}`]);
  return resolver.resolve4(name);
}

test('queries are passed on and answers come back to whoever asked, many at once', async () => {
  const [silent, speaks] = [await server(null), await server([203, 0, 113, 9])];
  const relay = await opened([silent, speaks]);
  const names = Array.from({ length: 20 }, (_, k) => `name-${k}.test`);
  assert.deepEqual(
    await Promise.all(names.map(name => ask(relay, name))),
    names.map(() => ['203.0.113.9']),
  );
  assert.equal(silent.queries.length, 20, 'every server is asked');
  assert.equal(new Set(speaks.queries.map(query => query.readUInt16BE(0))).size, 20, 'each with a number of its own');
});

test('where no server answers, nobody is told anything', async () => {
  const silent = await server(null);
  const relay = await opened([silent]);
  await assert.rejects(ask(relay, 'name.test', 500), { code: 'ETIMEOUT' });
});

test('what is no query is dropped', async () => {
  const speaks = await server([203, 0, 113, 9]);
  const relay = await opened([speaks]);
  const socket = createSocket('udp4');
  open.push(socket);
  socket.send('short', relay.port, '127.0.0.1');
  assert.deepEqual(await ask(relay, 'name.test'), ['203.0.113.9']);
  assert.equal(speaks.queries.length, 1);
});

test("where somebody listens already there is none; an address that is not this machine's is refused in words", async () => {
  const relay = await opened([]);
  assert.equal(await DnsRelay.open(local(relay.port), []), undefined);
  await assert.rejects(DnsRelay.open({ address: '192.0.2.77', port: 0 }, []), {
    code: 'no-internet',
    message: 'no name server can listen on 192.0.2.77',
  });
});

test("the machine's name servers, the first three", () => {
  const text =
    '# nameserver 1.1.1.1\nsearch test\nnameserver 127.0.0.53\n  nameserver fe80::1\nnameserver 10.0.0.1 \nnameserver 10.0.0.2\n';
  assert.deepEqual(
    nameServersIn(text),
    ['127.0.0.53', 'fe80::1', '10.0.0.1'].map(address => ({ address, port: 53 })),
  );
  assert.deepEqual(nameServersIn(''), []);
});

test('an answer counts only from whoever was asked, and by a number that nobody can tell beforehand', async () => {
  const speaks = await server(null);
  const relay = await opened([speaks]);
  const stranger = createSocket('udp4');
  open.push(stranger);
  stranger.bind(0, '127.0.0.2');
  await once(stranger, 'listening');
  const asked = Array.from({ length: 8 }, (_, k) => ask(relay, `name-${k}.test`, 500).catch(() => 'nobody'));
  while (speaks.queries.length < 8) await new Promise(resolve => setTimeout(resolve, 10));
  const numbers = speaks.queries.map(query => query.readUInt16BE(0));
  assert.ok(
    numbers.some((number, k) => k > 0 && number !== (numbers[k - 1]! + 1) % 65_536),
    numbers.join(),
  );
  for (const query of speaks.queries) {
    const forged = Buffer.concat([
      query.subarray(0, 12),
      query.subarray(12),
      Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 6, 6, 6, 6]),
    ]);
    forged.writeUInt16BE(0x8180, 2);
    forged.writeUInt16BE(1, 6);
    stranger.send(forged, relay.upstreamPorts[0]!, '127.0.0.1');
  }
  assert.deepEqual([...new Set(await Promise.all(asked))], ['nobody']);
});
