import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measureClock, nowMs } from '../../../../core/system/clock.ts';
import { sleep } from '../../../../core/system/deadline.ts';

test('the offset of a clock is found to within its uncertainty', async () => {
  let slow = 0;
  const offset = await measureClock(async () => {
    if (slow++ % 2 === 0) await sleep(5); // every second answer is late; the fastest answer counts
    return nowMs() - 1000;
  });
  assert.ok(Math.abs(offset.offsetMs - 1000) <= offset.uncertaintyMs + 0.01, JSON.stringify(offset));
  assert.ok(offset.uncertaintyMs < 3);
});
