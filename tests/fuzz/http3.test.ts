/**
 * Whatever comes to the program that speaks HTTP/3: words of its command line, a key and a certificate, packets at its
 * port. It goes on and tells of itself, or ends with one line and a status of its own.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import fc from 'fast-check';
import { sleep, until, within } from '../../core/system/deadline.ts';
import { selfSigned } from '../../core/system/self-signed.ts';
import { http3Program } from '../../harness/services/shared/http3-program.ts';
import { anyBytes, damaged, quicLike } from './bytes.ts';
import { effort } from './effort.ts';

const seed = 20261124;
const waitMs = 30_000;
const skip = existsSync(http3Program) ? false : 'the HTTP/3 server is not built: run "npm run setup -- http3"';
const { key, cert } = selfSigned('127.0.0.1');

/** The program, and what it says. */
class Server {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  readonly lines: string[] = [];
  said = '';

  constructor(words: readonly string[], identity: string | Buffer) {
    this.child = spawn(http3Program, words);
    this.child.stdin!.on('error', () => {}).write(identity);
    this.child.stderr!.on('data', (text: Buffer) => {
      this.said += text.toString();
    });
    createInterface(this.child.stdout!).on('line', line => this.lines.push(line));
    this.ended = once(this.child, 'close').then(([status]) => status as number | null);
  }

  /** It has ended by itself, in order or with one line. */
  async endsInOrder(): Promise<void> {
    const status = await within(this.ended, waitMs, 'its end');
    assert.ok(status === 0 || status === 1 || status === 2, `status ${status}: ${this.said}`);
    assert.ok(this.said === '' || /^[^\n]+\n$/.test(this.said), this.said);
    assert.doesNotMatch(this.said, /panick/);
  }
}

async function freePort(): Promise<number> {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address();
  socket.close();
  return port;
}

const wordsOf = (port: number) =>
  `--listen 127.0.0.1 --first-port ${port} --ports 1 --to 127.0.0.1 --congestion bbr3`.split(' ');

const word = fc.oneof(
  fc.constantFrom('--listen', '--ports', '--to', '0', '65536', '-1', '::1', '999.1.1.1', '', '--version', 'reno'),
  fc.string(),
);

test('words', { skip, timeout: 120_000 }, async () => {
  const change = fc.record({ at: fc.nat(10), word, isMore: fc.boolean() });
  // no port of the changed words can be listened at: the first word that is wrong ends it
  const words = fc
    .array(change, { minLength: 1, maxLength: 3 })
    .map(changes =>
      changes.reduce(
        (given, { at, word, isMore }) => given.toSpliced(at, isMore ? 0 : 1, word.replaceAll('\0', '')),
        ['--ports', '0', ...wordsOf(1)],
      ),
    );
  const { numRuns, ...of } = effort(seed, 60);
  for (const line of fc.sample(words, { ...of, numRuns })) {
    const server = new Server(line, key + cert);
    server.child.stdin!.end();
    await server.endsInOrder();
  }
});

test('its standard input', { skip, timeout: 120_000 }, async () => {
  const identities = fc.oneof(damaged([Buffer.from(key + cert), Buffer.from(cert)]), anyBytes(2000));
  const port = await freePort();
  for (const bytes of fc.sample(identities, effort(seed, 30))) {
    const server = new Server(wordsOf(port), bytes);
    server.child.stdin!.end();
    await server.endsInOrder();
  }
});

test('packets of strangers: it goes on, and tells of no connection', { skip, timeout: 120_000 }, async () => {
  const port = await freePort();
  const server = new Server(wordsOf(port), key + cert);
  const stranger = createSocket('udp4');
  try {
    await until(() => (server.lines.includes('listening') ? true : undefined), waitMs, 'it to listen');
    for (const [k, bytes] of fc.sample(quicLike, effort(seed, 500)).entries()) {
      stranger.send(bytes, port, '127.0.0.1');
      if (k % 20 === 0) await sleep(1);
    }
    const before = server.lines.length;
    await until(() => (server.lines.length > before + 1 ? true : undefined), waitMs, 'what it tells after all that');
    const told = JSON.parse(server.lines.at(-1)!) as { connections: unknown[] };
    assert.ok(Array.isArray(told.connections));
    assert.deepEqual([server.said, server.child.exitCode], ['', null]);
  } finally {
    stranger.close();
    server.child.kill('SIGKILL');
    await server.ended;
  }
});
