/** The probe over the loopback device: no namespaces and no privileges. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { run } from '../../../core/system/command.ts';
import { within } from '../../../core/system/deadline.ts';
import { parseArrivals } from '../../../shaper/calibrate/arrivals.ts';
import { temporaryFolder } from '../../unit/harness/support/folder.ts';
import { sharedStart } from '../../unit/support/shared-start.ts';

const source = fileURLToPath(new URL('../../../shaper/native/', import.meta.url));
const folder = temporaryFolder();
const probe = join(folder, 'coexist-probe');
const missing = (await run(['sh', '-c', 'command -v make && command -v cc'], { allowFailure: true })).status !== 0;
const skip = missing ? 'needs make and cc, to build the native helpers' : false;

sharedStart(() => run(['make', '-C', source, `BUILD=${folder}`, probe], { timeoutMs: 120_000 }));

/** Starts a part of the probe; its lines are answers. */
function start(...words: string[]) {
  const child = spawn(probe, words, { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    child,
    ended: once(child, 'close'),
    answer: async () =>
      JSON.parse((await within(lines.next(), 30_000, `an answer to ${words[0]}`)).value as string) as Record<
        string,
        number
      >,
  };
}

const send = async (port: number, ...words: string[]) =>
  JSON.parse((await run([probe, 'send', '127.0.0.1', String(port), ...words])).stdout) as Record<string, number>;

/** Receives what `sending` sends. */
async function received(sending: (port: number) => Promise<void>) {
  const file = join(folder, 'records');
  const receiver = start('receive', '0', file);
  const { port } = await receiver.answer();
  await sending(port!);
  receiver.child.stdin.end();
  const report = await receiver.answer();
  assert.deepEqual(await receiver.ended, [0, null]);
  return { report, arrivals: parseArrivals(readFileSync(file)) };
}

test('single packets arrive in order, after they were sent', { skip }, async () => {
  let startMs = 0;
  const { report, arrivals } = await received(async port => {
    const sent = await send(port, '--bytes', '100', '--count', '50', '--interval-us', '2000', '--flow', '4294967295');
    startMs = sent['startNs']! / 1e6;
    assert.equal(sent['sent'], 50);
  });
  assert.deepEqual(report, { received: 50, kernelDropped: 0, foreign: 0, clockSteps: 0 });
  assert.deepEqual(
    arrivals.map(({ sequence, bytes, flow }) => [sequence, bytes, flow]),
    Array.from({ length: 50 }, (_, k) => [k, 100, 4_294_967_295]),
  );
  arrivals.forEach(({ sentMs, receivedMs, sequence }) => {
    assert.ok(sentMs >= startMs + 2 * sequence, 'none before its time');
    assert.ok(receivedMs > sentMs && receivedMs < sentMs + 1000, `${receivedMs - sentMs} ms under way`);
  });
});

test('trains begin on time and go at once; a constant rate counts the overhead, and fills a queue first', {
  skip,
}, async () => {
  const trains = await received(
    async port => void (await send(port, '--bytes', '24', '--train', '5', '--count', '3', '--gap-ms', '30')),
  );
  const begins = [0, 5, 10].map(k => trains.arrivals[k]!.sentMs);
  assert.equal(trains.arrivals.length, 15);
  assert.ok(begins[1]! - begins[0]! > 20 && begins[2]! - begins[0]! >= 50, begins.join(', '));

  // 958 + 28 + 14 bytes: 8000 bits, one a ms
  let report: Record<string, number> = {};
  const { arrivals } = await received(async port => {
    report = await send(port, '--bytes', '958', '--rate', '8e6', '--seconds', '0.1', '--prefill', '30');
  });
  assert.deepEqual([report['sent'], arrivals.length], [130, 130]);
  const begin = report['startNs']! / 1e6;
  // 30 at three times the rate take 10 ms; the others follow, one a ms; each leaves at its time or later
  arrivals.forEach(({ sentMs, sequence }) =>
    assert.ok(
      sentMs - begin >= (sequence < 30 ? sequence / 3 : 10 + sequence - 30) - 0.001,
      `${sequence} at ${sentMs - begin}`,
    ),
  );
  const ip = await received(
    async port => void (await send(port, '--bytes', '972', '--rate', '8e6', '--seconds', '0.05', '--overhead', '0')),
  );
  assert.equal(ip.arrivals.length, 50);
});

test('datagrams of others are counted apart', { skip }, async () => {
  const { report, arrivals } = await received(async port => {
    await run([
      'bash',
      '-c',
      `for i in 1 2 3; do printf 'a datagram that is longer than the head of a probe' > /dev/udp/127.0.0.1/${port}; ` +
        `printf x > /dev/udp/127.0.0.1/${port}; done`,
    ]);
  });
  assert.deepEqual([report['foreign'], report['received'], arrivals.length], [6, 0, 0]);
});

test('a receiver and a sender end when they are told to, and still tell what they did', { skip }, async () => {
  const receiver = start('receive', '0', join(folder, 'ended'));
  const { port } = await receiver.answer();
  const sender = start(
    'send',
    '127.0.0.1',
    String(port),
    '--bytes',
    '24',
    '--count',
    '1000000',
    '--interval-us',
    '1000',
  );
  await new Promise(resolve => setTimeout(resolve, 100));
  sender.child.kill('SIGTERM');
  const { sent } = await sender.answer();
  assert.ok(sent! > 0 && sent! < 1_000_000);
  receiver.child.kill('SIGTERM');
  assert.equal((await receiver.answer())['received'], sent);
  assert.deepEqual(
    [await receiver.ended, await sender.ended],
    [
      [0, null],
      [0, null],
    ],
  );
});

test('the canary tells how late it was, for a time or until its input ends', { skip }, async () => {
  const beginMs = performance.now();
  const timed = JSON.parse((await run([probe, 'canary', '--seconds', '0.2'])).stdout.trim().split('\n')[1]!) as Record<
    string,
    number
  >;
  assert.ok(
    timed['samples']! > 20 && timed['samples']! <= (performance.now() - beginMs + 5) * timed['processors']!,
    `${timed['samples']} samples`,
  ); // one each ms; on a busy machine it ends late
  assert.ok(timed['p50Us']! <= timed['p999Us']! && timed['p999Us']! <= timed['maxUs']! && timed['maxUs']! > 0);
  const canary = start('canary');
  assert.deepEqual(await canary.answer(), { ready: true });
  canary.child.stdin.end();
  const { stalls, stallsLeftOut } = (await canary.answer()) as { stalls?: unknown; stallsLeftOut?: number };
  assert.ok(Array.isArray(stalls));
  assert.equal(stallsLeftOut, 0);
});

test('a canary that was held up tells when and for how long', { skip }, async () => {
  const canary = start('canary');
  await canary.answer();
  await new Promise(resolve => setTimeout(resolve, 50));
  const stoppedMs = Number(process.hrtime.bigint()) / 1e6;
  canary.child.kill('SIGSTOP');
  await new Promise(resolve => setTimeout(resolve, 100));
  const continuedMs = Number(process.hrtime.bigint()) / 1e6;
  canary.child.kill('SIGCONT');
  await new Promise(resolve => setTimeout(resolve, 50));
  canary.child.stdin.end();
  const { stalls } = (await canary.answer()) as unknown as {
    stalls: { timeNs: number; us: number; processor: number }[];
  };
  // a busy machine may hold it up at other times as well, and this one longer
  const told = stalls.map(({ timeNs, us }) => ({ afterMs: timeNs / 1e6 - stoppedMs, lastedMs: us / 1000 }));
  assert.ok(
    told.some(
      ({ afterMs, lastedMs }) =>
        lastedMs > 80 && afterMs < continuedMs - stoppedMs && afterMs + lastedMs > continuedMs - stoppedMs - 1,
    ),
    JSON.stringify(told),
  );
});

test('wrong words are answered with the usage and status 1', { skip }, async () => {
  const rate = ['--rate', '1e6', '--seconds', '1'];
  const bytes = ['--bytes', '100'];
  for (const words of [
    [],
    ['wait'],
    ['receive'],
    ['receive', '70000', 'x'],
    ['receive', '9', 'x', 'y'],
    ['canary', 'x'],
    ['canary', '--seconds', '0'],
    ['canary', '--minutes', '1'],
    ['send'],
    ['send', '127.0.0.1', '9', ...bytes],
    ['send', '127.0.0.1', '9', ...rate],
    ['send', '127.0.0.1', ...bytes, ...rate],
    ['send', 'localhost', '9', ...bytes, ...rate],
    ['send', '127.0.0.1', '0', ...bytes, ...rate],
    ['send', '127.0.0.1', '9', ...bytes, '--rate', 'fast', '--seconds', '1'],
    ['send', '127.0.0.1', '9', ...bytes, '--rate', '1e6'],
    ['send', '127.0.0.1', '9', '--bytes', '23', ...rate],
    ['send', '127.0.0.1', '9', '--bytes', '1473', ...rate],
    ['send', '127.0.0.1', '9', ...bytes, ...rate, '--count', '5'],
    ['send', '127.0.0.1', '9', ...bytes, '--train', '5', '--count', '5'],
    ['send', '127.0.0.1', '9', ...bytes, '--count', '5', '--interval-us', '5', '--prefill', '5'],
    ['send', '127.0.0.1', '9', ...bytes, '--train', '5', '--count', '5', '--gap-ms', '5', '--interval-us', '5'],
    ['send', '127.0.0.1', '9', ...bytes, ...rate, '--rate', 'nan'],
  ]) {
    const { status, stdout, stderr } = await run([probe, ...words], { allowFailure: true });
    assert.deepEqual([status, stdout], [1, ''], words.join(' '));
    assert.match(stderr, /^usage: coexist-probe receive PORT FILE \| send .* \| canary \[--seconds S\] \| awake\n$/);
  }
});

test('what this machine cannot do is said in a line, with status 2', { skip }, async () => {
  const { status, stderr } = await run([probe, 'receive', '0', join(folder, 'no', 'such', 'folder')], {
    allowFailure: true,
  });
  assert.equal(status, 2);
  assert.match(stderr, /^coexist-probe: .*no\/such\/folder: No such file or directory\n$/);
});
