import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect as connectTcp, createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { WebSocket } from 'ws';
import { until, within } from '../../../../core/system/deadline.ts';
import { SignalingServer } from '../../../../server/signaling/server.ts';
import { sharedStart } from '../../support/shared-start.ts';

const deadlineMs = 30_000;
const token = 'a token of the trial';
const sdp = 'v=0\r\no=- 1 1 IN IP4 0.0.0.0\r\n';
const offer = JSON.stringify({ type: 'offer', sdp });

let server: SignalingServer;
let byes = 0;
const handler = {
  onOffer: async (given: string) =>
    given.includes('refuse') ? Promise.reject(new Error(`no: ${given}`)) : `answer to ${given.length}`,
  onBye: () => {
    byes++;
  },
};

sharedStart(
  async () => {
    server = await SignalingServer.listen('127.0.0.1', 0);
    server.admit(token, handler);
  },
  () => server?.close(),
);

class Client {
  readonly socket: WebSocket;
  readonly messages: { type: string; sdp?: string; message?: string }[] = [];
  readonly closed: Promise<{ code: number; reason: string }>;

  constructor(url = server.url, path = `signal?token=${encodeURIComponent(token)}`) {
    this.socket = new WebSocket(url.replace('http', 'ws') + path);
    this.socket.on('error', () => {});
    this.socket.on('message', data => this.messages.push(JSON.parse(String(data))));
    this.closed = new Promise(resolve =>
      this.socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() })),
    );
  }

  async open(): Promise<this> {
    await within(once(this.socket, 'open'), deadlineMs, 'the socket to open');
    return this;
  }

  async say(data: string | Buffer): Promise<this> {
    await this.open();
    this.socket.send(data);
    return this;
  }

  end() {
    return within(this.closed, deadlineMs, 'the socket to close');
  }

  message() {
    return until(() => this.messages.shift(), deadlineMs, 'a message');
  }
}

/** Returns the HTTP status with which an upgrade is refused. */
async function refusedWith(path: string): Promise<number> {
  const client = new Client(server.url, path);
  const [, response] = (await within(once(client.socket, 'unexpected-response'), deadlineMs, 'a refusal')) as [
    unknown,
    { statusCode: number; destroy(): void },
  ];
  response.destroy();
  return response.statusCode;
}

/** Asserts that the server still answers a correct browser. */
async function stillWorks(): Promise<void> {
  const client = await new Client().say(offer);
  assert.deepEqual(await client.message(), { type: 'answer', sdp: `answer to ${sdp.length}` });
  client.socket.close();
  await client.end();
}

/** Sends data; returns the server's error message and how it closes the connection. */
async function refusal(data: string | Buffer) {
  const client = await new Client().say(data);
  const { code, reason } = await client.end();
  const [message] = client.messages;
  assert.deepEqual([code, message?.type, client.messages.length], [1008, 'error', 1]);
  assert.ok(message!.message!.startsWith(reason.replace(/\ufffd$/, '')));
  await stillWorks();
  return message!.message!;
}

test('an offer is answered', stillWorks);

test('messages are not compressed: a small one cannot become a large one', async () => {
  const client = await new Client().open();
  assert.equal(client.socket.extensions, '');
  client.socket.close();
  await client.end();
});

test('the page and its script are served, its types stripped, and nothing else', async () => {
  const get = async (path: string, method = 'GET') => {
    const response = await fetch(new URL(path, server.url), { method });
    return { status: response.status, type: response.headers.get('content-type')!, body: await response.text() };
  };
  const page = await get('/');
  assert.deepEqual([page.status, page.type], [200, 'text/html; charset=utf-8']);
  assert.match(page.body, /<video/);
  const script = await get('/collector.ts');
  assert.deepEqual([script.status, script.type], [200, 'text/javascript; charset=utf-8']);
  assert.doesNotMatch(script.body, /import type|: Promise<void>/);
  for (const path of [
    '/collector.js',
    '/wire.ts',
    '/call/caller.ts',
    '/../package.json',
    '/%2e%2e/package.json',
    '/signal',
  ])
    assert.equal((await get(path)).status, 404, path);
  assert.equal((await get('/', 'POST')).status, 404);
});

test('a wrong token, no token and another path are refused', async () => {
  for (const path of [
    'signal?token=wrong',
    'signal',
    'signal?token=',
    `signal?token=${encodeURIComponent(token)}x`,
    'signal?token=%ff',
  ])
    assert.equal(await refusedWith(path), 403, path);
  for (const path of [
    '',
    'other',
    `signal/?token=${encodeURIComponent(token)}`,
    `signal2?token=${encodeURIComponent(token)}`,
  ])
    assert.equal(await refusedWith(path), 404, path);
  await stillWorks();
});

test('what is not a message is refused with the reason', async () => {
  assert.equal(await refusal('{"type":'), 'not JSON');
  assert.equal(await refusal(Buffer.from(offer)), 'messages are text');
  assert.match(await refusal('{"type":"answer","sdp":"v=0"}'), /type/);
  assert.match(await refusal('{"type":"offer","sdp":"garbage"}'), /^sdp: /);
  assert.match(await refusal('[]'), /^message: /);
});

test('a reason too long for a close frame is cut, between characters or within', async () => {
  for (const text of ['x', 'é', '語', '😀']) {
    for (const shift of ['', 'a', 'ab', 'abc'])
      assert.match(await refusal(JSON.stringify({ type: 'bye', [shift + text.repeat(200)]: 1 })), /unknown key/);
  }
});

test('an offer that is refused is told why', async () => {
  assert.match(await refusal(JSON.stringify({ type: 'offer', sdp: 'v=0 refuse this' })), /^no: v=0 refuse this/);
});

test('one offer per connection', async () => {
  const client = await new Client().say(offer);
  await client.message();
  client.socket.send(offer);
  assert.deepEqual(await client.message(), { type: 'error', message: 'one offer per connection' });
  assert.equal((await client.end()).code, 1008);
  await stillWorks();
});

test('bye is passed on', async () => {
  const client = await new Client().say(JSON.stringify({ type: 'bye' }));
  await until(() => byes === 1 || undefined, deadlineMs, 'the bye');
  client.socket.close();
  await client.end();
});

test('10 MB end the connection of who sends them, and no other', async () => {
  const other = await new Client().open();
  const client = await new Client().say('x'.repeat(10_000_000));
  await client.end();
  assert.equal(client.messages.length, 0);
  other.socket.send(offer);
  assert.equal((await other.message()).type, 'answer');
  other.socket.close();
  await other.end();
  await stillWorks();
});

test('so do 10 MB in small pieces', async () => {
  const client = await new Client().open();
  client.socket.on('error', () => {});
  for (let i = 0; i < 1000 && client.socket.readyState === client.socket.OPEN; i++)
    client.socket.send('y'.repeat(10_000), { fin: false });
  await client.end();
  await stillWorks();
});

test('broken frames end the connection', async () => {
  const client = await new Client().open();
  (client.socket as unknown as { _socket: Socket })._socket.write(Buffer.from('ff80ffffffff', 'hex'));
  await client.end();
  await stillWorks();
});

test('16 clients at a time', async () => {
  const clients = await Promise.all(Array.from({ length: 16 }, () => new Client().open()));
  assert.equal(await refusedWith(`signal?token=${encodeURIComponent(token)}`), 503);
  for (const client of clients) client.socket.close();
  await Promise.all(clients.map(client => client.end()));
  await stillWorks();
});

test('who is refused cannot keep the connection half open', async () => {
  const { hostname, port } = new URL(server.url);
  const socket = connectTcp({ host: hostname, port: Number(port), allowHalfOpen: true });
  let ended = false;
  socket
    .on('error', () => {
      ended = true;
    })
    .on('close', () => {
      ended = true;
    });
  socket.write(
    'GET /signal?token=wrong HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
  );
  let answer = '';
  socket.on('data', chunk => {
    answer += String(chunk);
  });
  await until(
    () => {
      if (answer !== '' && !ended) socket.write('more');
      return ended || undefined;
    },
    deadlineMs,
    'the server to let go',
  );
  assert.match(answer, /^HTTP\/1\.1 403 /);
});

test('bytes that are no HTTP, and addresses that are none', async () => {
  const { hostname, port } = new URL(server.url);
  for (const bytes of [
    Buffer.from([0x16, 3, 1, 0, 5, 0, 0]),
    'GET http://[ HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    `GET / HTTP/1.1\r\nA: ${'x'.repeat(20_000)}\r\n\r\n`,
    '\0'.repeat(1000),
  ]) {
    const socket = connectTcp({ host: hostname, port: Number(port) });
    socket.on('error', () => {}).resume();
    socket.write(bytes);
    await within(new Promise(resolve => socket.once('close', resolve)), deadlineMs, 'the server to hang up');
  }
  await stillWorks();
});

test('a client that says nothing is let go after 30 s, one that was answered is not', async t => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const silent = new Client();
  await once(silent.socket, 'open');
  const answered = new Client();
  await once(answered.socket, 'open');
  answered.socket.send(offer);
  await once(answered.socket, 'message');
  t.mock.timers.tick(30_000);
  assert.deepEqual(await silent.closed, { code: 1008, reason: 'no offer came' });
  assert.equal(answered.socket.readyState, WebSocket.OPEN);
  answered.socket.close();
  await answered.closed;
});

test('without an open trial everyone is refused, and who was in is put out', async () => {
  const client = await new Client().open();
  server.shut();
  assert.equal((await client.end()).code, 1006);
  assert.equal(await refusedWith(`signal?token=${encodeURIComponent(token)}`), 403);
  server.admit('another token', handler);
  assert.equal(await refusedWith(`signal?token=${encodeURIComponent(token)}`), 403);
  server.admit(token, handler);
  await stillWorks();
});

test('a port that is taken is named', async () => {
  const { port } = new URL(server.url);
  await assert.rejects(SignalingServer.listen('127.0.0.1', Number(port)), {
    code: 'port-taken',
    message: `port ${port} on 127.0.0.1 is taken`,
    hint: /service\.port/,
  });
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  await assert.rejects(SignalingServer.listen('127.0.0.1', (other.address() as AddressInfo).port), {
    code: 'port-taken',
  });
  other.close();
});

test('closed, it leaves the port free', async () => {
  const first = await SignalingServer.listen('127.0.0.1', 0);
  first.admit(token, handler);
  const client = await new Client(first.url).open();
  const kept = await fetch(first.url);
  await kept.text();
  await within(first.close(), deadlineMs, 'the server to close');
  await client.end();
  const second = await SignalingServer.listen('127.0.0.1', Number(new URL(first.url).port));
  await second.close();
});
