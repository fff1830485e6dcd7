import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { connect } from 'node:http2';
import { test } from 'node:test';
import { Child } from '../../../../../core/system/command.ts';
import { within } from '../../../../../core/system/deadline.ts';
import { ServerProgram } from '../../../../../harness/services/shared/server-program.ts';
import { fakeHost } from '../../../../unit/harness/support/fake-host.ts';
import { freePorts, ownAddress } from '../../../../unit/support/loopback.ts';
import { sharedStart } from '../../../../unit/support/shared-start.ts';

const transferServer = new URL('../../../../../harness/services/shared/transfer-server.ts', import.meta.url);
const host = {
  ...fakeHost(''),
  start: (name: string, [file, ...args]: readonly string[]) =>
    new Child(name, spawn(file!, args, { stdio: ['ignore', 'pipe', 'pipe'] })),
};
const serve = (config: object) =>
  ServerProgram.start(host, 'the server', transferServer, {
    host: ownAddress,
    ports: 2,
    secure: false,
    capBps: null,
    ...config,
  });

const [plainPort, cappedPort, securePort] = [await freePorts(2), await freePorts(2), await freePorts(2)];
const servers: ServerProgram[] = [];
sharedStart(
  async () => {
    for (const config of [
      { firstPort: plainPort },
      { firstPort: cappedPort, capBps: 4e6 },
      { firstPort: securePort, secure: true },
    ])
      servers.push(await serve(config));
  },
  () => Promise.all(servers.map(server => server.close())),
);

test('as many bytes as asked for, on every port, never kept', async () => {
  for (const port of [plainPort, plainPort + 1]) {
    const response = await fetch(`http://${ownAddress}:${port}/bytes?length=100000`);
    assert.equal((await response.arrayBuffer()).byteLength, 100_000);
    assert.deepEqual(
      ['cache-control', 'access-control-allow-origin', 'content-length'].map(name => response.headers.get(name)),
      ['no-store', '*', '100000'],
    );
  }
});

test('without a length there is no end, and who has enough goes away', async () => {
  const stop = new AbortController();
  const response = await fetch(`http://${ownAddress}:${plainPort}/bytes`, { signal: stop.signal });
  let bytes = 0;
  for (const reader = response.body!.getReader(); bytes < 5e6; ) bytes += (await reader.read()).value!.length;
  stop.abort();
  assert.equal((await fetch(`http://${ownAddress}:${plainPort}/bytes?length=1`)).status, 200, 'it serves the next');
});

test('a cap holds for all connections together', async () => {
  const startMs = performance.now();
  await Promise.all(
    [0, 1].map(async k => (await fetch(`http://${ownAddress}:${cappedPort + k}/bytes?length=250000`)).arrayBuffer()),
  );
  const seconds = (performance.now() - startMs) / 1000;
  assert.ok(seconds > 0.85, `500 kB at 4 Mbit/s take a second, less a burst of 64 kB; it took ${seconds} s`);
});

test('pages with their types stripped, and nothing else', async () => {
  const page = await fetch(`http://${ownAddress}:${plainPort}/`);
  assert.match(await page.text(), /transfer\/transfer\.ts/);
  const script = await fetch(`http://${ownAddress}:${plainPort}/transfer/worker.ts`);
  assert.equal(script.headers.get('content-type'), 'text/javascript');
  assert.doesNotMatch(await script.text(), /: string/);
  for (const path of ['/none', '/../package.json', '/transfer/page.html'])
    assert.equal((await fetch(`http://${ownAddress}:${plainPort}${path}`)).status, 404, path);
});

test('HTTP/2 over TLS', async () => {
  const session = connect(`https://${ownAddress}:${securePort}`, { rejectUnauthorized: false });
  try {
    const stream = session.request({ ':path': '/bytes?length=300000' });
    let bytes = 0;
    stream.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
    await within(new Promise((resolve, reject) => stream.on('end', resolve).on('error', reject)), 30_000, 'the answer');
    assert.equal(bytes, 300_000);
    assert.equal(session.alpnProtocol, 'h2');
  } finally {
    session.destroy();
  }
});

test('a port that is taken is named', async () => {
  await assert.rejects(serve({ firstPort: plainPort }), {
    code: 'server-failed',
    message: new RegExp(`did not start: .*EADDRINUSE.*${plainPort}`),
  });
});
