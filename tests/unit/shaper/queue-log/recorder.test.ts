import assert from 'node:assert/strict';
import { test } from 'node:test';
import { within } from '../../../../core/system/deadline.ts';
import { QueueLogRecorder, queueLogLoader, queueLogObject } from '../../../../shaper/queue-log/recorder.ts';
import { fakeHost } from '../../harness/support/fake-host.ts';
import { ready, untilEnded } from '../support/scripts.ts';

test('it is started with its words, is ready, and tells what it did', async () => {
  const host = fakeHost(untilEnded('echo "{\\"records\\":12,\\"lost\\":0,\\"cpuMs\\":1.5}"'));
  const recorder = await QueueLogRecorder.start(host, 'toClient', 'a/queue.log');
  assert.deepEqual(host.started, [[queueLogLoader, queueLogObject, 'toClient', 'a/queue.log']]);
  assert.deepEqual(await recorder.stop(), { records: 12, lost: 0, cpuMs: 1.5 });
});

test('where it does not start, the last words say why', async () => {
  for (const script of [
    'echo "coexist-qlog: toClient: No such device" >&2; exit 2',
    'echo "coexist-qlog: toClient: No such device" >&2; sleep 0.1; exit 0',
  ]) {
    await assert.rejects(QueueLogRecorder.start(fakeHost(script), 'toClient', 'queue.log'), {
      name: 'CoexistError',
      code: 'missing-kernel-feature',
      message: 'the queue log did not start: coexist-qlog: toClient: No such device',
      hint: /npm run setup/,
    });
  }
});

test('that it ended by itself is told at once, and again when it is stopped', async () => {
  const host = fakeHost(`${ready}; echo "coexist-qlog: killed" >&2; exit 2`);
  const recorder = await QueueLogRecorder.start(host, 'toClient', 'queue.log');
  await assert.rejects(within(recorder.failed, 30_000, 'the failure'), {
    code: 'probe-died',
    message: 'the queue log ended in the middle of the trial: coexist-qlog: killed',
  });
  await assert.rejects(recorder.stop(), { code: 'probe-died', message: /^the queue log could not be completed/ });
});

test('a full disk is called by its name', async () => {
  const host = fakeHost(
    `${ready}; echo "coexist-qlog: a file could not be written: No space left on device" >&2; exit 2`,
  );
  const recorder = await QueueLogRecorder.start(host, 'toClient', 'queue.log');
  await assert.rejects(within(recorder.failed, 30_000, 'the failure'), { code: 'disk-full' });
});

test('one that was stopped has not failed', async () => {
  const recorder = await QueueLogRecorder.start(
    fakeHost(untilEnded('echo "{\\"records\\":0,\\"lost\\":0,\\"cpuMs\\":0}"')),
    'toClient',
    'queue.log',
  );
  await recorder.stop();
  assert.equal(
    await Promise.race([recorder.failed, new Promise(resolve => setTimeout(resolve, 50, 'quiet'))]),
    'quiet',
  );
});
