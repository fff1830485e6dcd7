import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GainCycle } from '../../../../../server/congestion/webrtc-bbr/gain-cycle.ts';

const bdpBytes = 10_000;

/** Updates once with a minimum round trip of 50 ms; returns the gain. */
function update(cycle: GainCycle, nowMs: number, priorInFlightBytes: number, hasLosses = false): number {
  cycle.update({ nowMs, minRttMs: 50, priorInFlightBytes, hasLosses, targetBytes: gain => gain * bdpBytes });
  return cycle.gain;
}

/** A cycle at the start of its first phase. */
function atFirstPhase(): GainCycle {
  const cycle = new GainCycle(0.25, 10);
  cycle.start(0);
  for (let ms = -1000; cycle.gain !== 1.25; ms += 51) update(cycle, ms + 1051, bdpBytes);
  return cycle;
}

test('1.25, 0.75, and six times 1, a round trip each', () => {
  const cycle = new GainCycle(0.25, 10);
  cycle.start(0);
  const gains: number[] = [];
  for (let i = 1; i <= 24; i++) gains.push(update(cycle, 51 * i, 1.3 * bdpBytes));
  const from = gains.indexOf(1.25);
  assert.deepEqual(gains.slice(from, from + 9), [1.25, 0.75, 1, 1, 1, 1, 1, 1, 1.25]);
  assert.equal(update(cycle, 51 * 24 + 50, 1.3 * bdpBytes), gains[23], 'not before the round trip is over');
});

test('the offset can be set', () => {
  const cycle = new GainCycle(0.5, 10);
  const seen = new Set<number>();
  for (let i = 0; i < 24; i++) seen.add(update(cycle, 51 * i, 2 * bdpBytes));
  assert.deepEqual([...seen].sort(), [0.5, 1, 1.5]);
});

test('above 1 it waits until the flight has grown, but not when packets are lost', () => {
  const waiting = atFirstPhase();
  assert.equal(update(waiting, 5000, 1.24 * bdpBytes), 1.25);
  assert.equal(update(waiting, 5001, 1.25 * bdpBytes), 0.75);
  const losing = atFirstPhase();
  assert.equal(update(losing, 5000, bdpBytes, true), 0.75);
});

test('below 1 it ends as soon as the queue is gone', () => {
  const cycle = atFirstPhase();
  update(cycle, 5000, 1.3 * bdpBytes);
  assert.equal(update(cycle, 5001, 1.1 * bdpBytes), 0.75);
  assert.equal(update(cycle, 5002, bdpBytes), 1);
});

test('it begins in any phase but the one that drains, by seed', () => {
  const firstGains = (seed: number) => {
    const cycle = new GainCycle(0.25, seed);
    return Array.from({ length: 200 }, () => {
      cycle.start(0);
      return cycle.gain;
    });
  };
  const gains = firstGains(10);
  assert.ok(!gains.includes(0.75));
  // One of seven phases has 1.25: 28.6 of 200 on average, standard deviation 4.9.
  const probing = gains.filter(gain => gain === 1.25).length;
  assert.ok(probing > 28.6 - 4 * 4.9 && probing < 28.6 + 4 * 4.9, `${probing}`);
  assert.deepEqual(firstGains(10), gains);
  assert.notDeepEqual(firstGains(11), gains);
});
