/** Whatever comes to the receiver of probe packets: each is counted, and its records are those of probe packets. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { run } from '../../core/system/command.ts';
import { within } from '../../core/system/deadline.ts';
import { parseArrivals } from '../../shaper/calibrate/arrivals.ts';
import { anyBytes, damaged } from './bytes.ts';
import { effort } from './effort.ts';

const seed = 20261127;
const source = fileURLToPath(new URL('../../shaper/native/', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'coexist-fuzz-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const missing = (await run(['sh', '-c', 'command -v make && command -v cc'], { allowFailure: true })).status !== 0;
const skip = missing ? 'needs make and cc, to build the native helpers' : false;

/** "CXP1", sequence, time, flow and room for more, little endian (shaper/native/probe/probe.h). */
const original = Buffer.concat([Buffer.from('CXP1'), Buffer.alloc(20, 3), Buffer.alloc(76)]);
const headBytes = 24;
const isProbe = (bytes: Buffer) => bytes.length >= headBytes && bytes.subarray(0, 4).equals(original.subarray(0, 4));

test('packets of strangers', { skip, timeout: 120_000 }, async () => {
  const probe = join(folder, 'coexist-probe');
  await run(['make', '-C', source, `BUILD=${folder}`, probe], { timeoutMs: 120_000 });
  const file = join(folder, 'records');
  const child = spawn(probe, ['receive', '0', file], { stdio: ['pipe', 'pipe', 'pipe'] });
  const ended = once(child, 'close');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const answer = async () =>
    JSON.parse((await within(lines.next(), 30_000, 'an answer')).value as string) as Record<string, number>;
  const stranger = createSocket('udp4');
  try {
    const { port } = await answer();
    const send = (bytes: Buffer) =>
      new Promise<void>((resolve, reject) =>
        stranger.send(bytes, port!, '127.0.0.1', error => (error === null ? resolve() : reject(error))),
      );
    for (let k = 0; k < 5; k++) {
      await send(original); // a packet before the kernel stamps is foreign, too
      await new Promise(resolve => setTimeout(resolve, 20));
    }
    const sent = fc.sample(fc.oneof(damaged([original]), anyBytes(1400)), effort(seed, 500));
    for (const bytes of sent) await send(bytes);
    await send(original);
    child.stdin.end();
    const report = await answer();
    assert.deepEqual(await ended, [0, null]);
    assert.equal(report['received']! + report['foreign']! + report['kernelDropped']!, sent.length + 6);
    const ours = sent.filter(isProbe).length;
    assert.ok(report['received']! >= ours && report['received']! <= ours + 6, JSON.stringify({ ours, ...report }));
    const arrivals = parseArrivals(readFileSync(file));
    assert.equal(arrivals.length, report['received']);
    for (const one of arrivals)
      assert.ok(one.bytes >= headBytes && Object.values(one).every(Number.isFinite), JSON.stringify(one));
  } finally {
    stranger.close();
    child.kill('SIGKILL');
  }
});
