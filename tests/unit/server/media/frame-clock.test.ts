import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FrameClock } from '../../../../server/media/frame-clock.ts';

const near = (actual: number, expected: number) =>
  assert.ok(Math.abs(actual - expected) < 1e-9, `${actual}, expected ${expected}`);

test('on time: every period once, without drift', () => {
  const clock = new FrameClock(1000, 60);
  for (let number = 0; number < 6000; number++) {
    assert.deepEqual(clock.take(clock.dueMs), {
      number,
      dueMs: 1000 + number * (1000 / 60),
      latenessMs: 0,
      skipped: 0,
    });
  }
  near(clock.dueMs, 101_000);
});

test('late within the period: taken, and the next is due on schedule', () => {
  const clock = new FrameClock(0, 50);
  assert.deepEqual(clock.take(19.9), { number: 0, dueMs: 0, latenessMs: 19.9, skipped: 0 });
  assert.equal(clock.dueMs, 20);
});

test('later than a period: the missed ones are skipped and counted, not made up for', () => {
  const clock = new FrameClock(0, 50);
  clock.take(0);
  // due at 20; the frames of 20, 40 and 60 are skipped
  assert.deepEqual(clock.take(85), { number: 4, dueMs: 80, latenessMs: 65, skipped: 3 });
  assert.deepEqual(clock.take(100), { number: 5, dueMs: 100, latenessMs: 0, skipped: 0 });
});

test('exactly a period late is one skipped', () => {
  const clock = new FrameClock(0, 50);
  assert.deepEqual(clock.take(20), { number: 1, dueMs: 20, latenessMs: 20, skipped: 1 });
});

test('a moment early skips nothing', () => {
  const clock = new FrameClock(0, 50);
  clock.take(0);
  assert.deepEqual(clock.take(19.5), { number: 1, dueMs: 20, latenessMs: -0.5, skipped: 0 });
});

test('taken and skipped are all the periods there were', () => {
  const clock = new FrameClock(0, 60);
  let [nowMs, taken, skipped] = [0, 0, 0];
  for (let i = 0; i < 1000; i++) {
    nowMs = Math.max(nowMs, clock.dueMs) + (i % 7 === 0 ? 55 : 3);
    taken++;
    skipped += clock.take(nowMs).skipped;
  }
  near(clock.dueMs, (taken + skipped) * (1000 / 60));
  assert.ok(skipped > 300 && clock.dueMs > nowMs);
});
