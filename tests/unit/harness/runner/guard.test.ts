import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CoexistError } from '../../../../core/errors.ts';
import { Guard } from '../../../../harness/runner/guard.ts';

const never = () => new Promise<never>(() => {});
const interrupted = new CoexistError('interrupted', 'interrupted');

test('a step gives what it gives', async () =>
  assert.equal(await new Guard(new AbortController().signal).of(Promise.resolve(7)), 7));

test('a step is given up when a part dies, even one that died before it', async () => {
  const steps = new Guard(new AbortController().signal);
  steps.watch(Promise.reject(new CoexistError('browser-died', 'the browser ended')));
  await assert.rejects(steps.of(never()), { code: 'browser-died' });
});

test('a step is given up when the run is interrupted, and none begins after it', async () => {
  const run = new AbortController();
  const steps = new Guard(run.signal);
  const waiting = steps.of(never());
  run.abort(interrupted);
  await assert.rejects(waiting, { code: 'interrupted' });
  await assert.rejects(steps.of(Promise.resolve(1)), { code: 'interrupted' });
});

test('what a part died of is a finding; what ends the whole run is thrown on', () => {
  const run = new AbortController();
  const steps = new Guard(run.signal);
  const findings = (['link-refused', 'service-failed', 'no-video'] as const).map(code =>
    steps.finding(new CoexistError(code, 'words')),
  );
  assert.deepEqual(
    findings.map(({ kind, status, message }) => [kind, status, message]),
    [
      ['link', 'invalid', 'words'],
      ['failure', 'invalid', 'words'],
      ['failure', 'invalid', 'words'],
    ],
  );
  assert.throws(() => steps.finding(new CoexistError('disk-full', 'disk full')), { code: 'disk-full' });
  assert.throws(() => steps.finding(new TypeError('a fault of ours')), TypeError);
  run.abort(interrupted);
  assert.throws(() => steps.finding(new CoexistError('no-video', 'words')), { code: 'interrupted' });
});
