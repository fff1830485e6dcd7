import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Child } from '../../../../core/system/command.ts';
import type { Host } from '../../../../core/system/host.ts';
import { ProbeWakeUps, probeProgram, Receiver, sendProbes } from '../../../../shaper/calibrate/probe.ts';
import { fakeHost } from '../../../unit/harness/support/fake-host.ts';
import { temporaryFolder } from '../../../unit/harness/support/folder.ts';

const skip = existsSync(probeProgram) ? false : 'needs the native helper: npm run setup';

/** A host whose probe prints these lines. */
const printing = (...lines: string[]): Host => ({
  ...fakeHost(''),
  start: name => new Child(name, spawn('printf', ['%s\\n', ...lines], { stdio: ['pipe', 'pipe', 'pipe'] })),
});
const send = (host: Host) => sendProbes(host, '127.0.0.1', 9, { payloadBytes: 100, packets: 1, everyUs: 1 });
const receive = async (host: Host) => (await Receiver.start(host, '/nowhere')).finish();
const wake = async (host: Host) => (await ProbeWakeUps.start(host)).finish();
const sent = { sent: 1, errors: 0, startNs: 2 ** 60, endNs: 2 ** 60, lateP99Us: 0.5, lateMaxUs: 1, starved: false };

test('what the probe prints that is no answer is refused in one line', { skip }, async () => {
  for (const [asked, what, lines, message] of [
    [send, 'send', ['nonsense'], 'told "nonsense", which is not JSON'],
    [send, 'send', [JSON.stringify({ ...sent, startNs: null })], /tells: startNs: /],
    [send, 'send', ['{}'], /tells: sent is missing$/],
    [receive, 'receive', ['null'], /tells: null is not an object$/],
    [receive, 'receive', ['{"port":70000}'], /tells: port: /],
    [receive, 'receive', ['{"port":7}', '{"kernelDropped":-1,"clockSteps":0}'], /tells: kernelDropped: /],
    [wake, 'canary', ['{"ready":false}'], /tells: ready: /],
    [
      wake,
      'canary',
      ['{"ready":true}', '{"p50Us":1,"p999Us":1,"maxUs":1,"scheduling":"fifo"}'],
      /tells: stalls is missing$/,
    ],
  ] as const) {
    await assert.rejects(asked(printing(...lines)), error => {
      const { code, message: said } = error as { code?: unknown; message: string };
      assert.equal(code, 'probe-died', (error as Error).stack);
      assert.ok(said.includes(`coexist-probe ${what} on `) && !said.includes('\n'), said);
      if (typeof message === 'string') assert.ok(said.endsWith(message), said);
      else assert.match(said, message);
      return true;
    });
  }
  assert.equal((await send(printing(JSON.stringify(sent)))).lateP99Ms, 0.0005);
});

test('what it does print is an answer', { skip }, async () => {
  const here: Host = {
    ...fakeHost(''),
    start: (name, argv) => new Child(name, spawn(argv[0]!, argv.slice(1), { stdio: ['pipe', 'pipe', 'pipe'] })),
  };
  const wakeUps = await ProbeWakeUps.start(here);
  const receiver = await Receiver.start(here, join(temporaryFolder(), 'arrivals'));
  const report = await sendProbes(here, '127.0.0.1', receiver.port, { payloadBytes: 100, packets: 5, everyUs: 1000 });
  const { arrivals, kernelDropped } = await receiver.finish();
  assert.deepEqual([report.sent, arrivals.length, kernelDropped], [5, 5, 0]);
  assert.ok((await wakeUps.finish()).maxUs > 0);
});
