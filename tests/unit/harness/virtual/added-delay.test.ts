import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AddedDelay } from '../../../../harness/virtual/added-delay.ts';
import type { Fate } from '../../../../harness/virtual/link.ts';

const arriving = { fateOf: (_: number, nowMs: number): Fate => ({ kind: 'arrives', atMs: nowMs + 10, queueMs: 0 }) };
const steps = [
  { atMs: 0, delayMs: 0 },
  { atMs: 100, delayMs: 70 },
  { atMs: 200, delayMs: 5 },
];

const arrivals = (link: AddedDelay, times: readonly number[]) =>
  times.map(ms => {
    const fate = link.fateOf(1000, ms);
    return fate.kind === 'arrives' ? fate.atMs : null;
  });

test('a packet takes the delay of the time at which it is sent, and does not overtake', () => {
  assert.deepEqual(
    arrivals(new AddedDelay(arriving, steps), [0, 99, 100, 199, 200, 300]),
    [10, 109, 180, 279, 279, 315],
  );
});

test('what is dropped stays dropped', () => {
  const dropping = { fateOf: (): Fate => ({ kind: 'dropped' }) };
  assert.deepEqual(new AddedDelay(dropping, steps).fateOf(1000, 150), { kind: 'dropped' });
});
