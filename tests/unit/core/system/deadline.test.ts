import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nowMs } from '../../../../core/system/clock.ts';
import { sleep, sleepUntil, until, within } from '../../../../core/system/deadline.ts';

test('a wait ends with an error that says what was waited for', async () => {
  await assert.rejects(within(new Promise(() => {}), 20, 'the moon'), /timed out after 0 s waiting for the moon/);
  await assert.rejects(
    until(() => undefined, 20, 'an answer', { everyMs: 5, code: 'no-video' }),
    { code: 'no-video' },
  );
});

test('what comes in time is returned', async () => {
  assert.equal(await within(Promise.resolve(7), 1000, 'seven'), 7);
  let asked = 0;
  assert.equal(await until(() => (++asked === 3 ? 'yes' : undefined), 1000, 'yes', { everyMs: 1 }), 'yes');
});

test('an abort ends every wait with its reason', async () => {
  const abort = new AbortController();
  const reason = new Error('enough');
  const waits = [
    sleep(10_000, abort.signal),
    within(new Promise(() => {}), 10_000, 'x', { signal: abort.signal }),
    until(() => undefined, 10_000, 'x', { signal: abort.signal }),
  ];
  abort.abort(reason);
  for (const wait of waits) await assert.rejects(wait, reason);
  await assert.rejects(sleep(1, abort.signal), reason);
});

test('sleeping until a time never ends before it', async () => {
  for (let i = 0; i < 20; i++) {
    const time = nowMs() + 1 + i / 10;
    await sleepUntil(time);
    assert.ok(nowMs() >= time);
  }
});
