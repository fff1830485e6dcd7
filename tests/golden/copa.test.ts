/**
 * The vectors that hold the Copa of the QUIC programs (harness/quic/src/copa) to what server/congestion/copa does are
 * those of today.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { text, vectors } from './copa-vectors.ts';

test('copa.json is what server/congestion/copa answers today; tests/golden/copa-vectors.ts writes it anew', () => {
  assert.ok(
    readFileSync(new URL('copa.json', import.meta.url), 'utf8') === text(),
    'copa.json is of another Copa: run tests/golden/copa-vectors.ts, then cargo test in harness/quic',
  );
});

test('every state of Copa is in them', () => {
  const { windows, mode, velocity, roundTrips } = vectors();
  const steps = Object.values(windows).flat();
  assert.deepEqual([...new Set(steps.map(step => step.mode))].sort(), ['competitive', 'default', 'slow-start']);
  assert.ok(
    steps.some(step => Number(step.velocity) >= 8) && steps.some(step => step.delta < 0.2),
    'a velocity of 8, a delta below 0.2',
  );
  assert.ok(mode.some(step => step.isCompetitive) && mode.some(step => !step.isCompetitive));
  assert.ok(Math.max(...velocity.map(step => step.value)) >= 8);
  assert.ok(roundTrips.some(step => step.isNearlyEmpty) && roundTrips.some(step => !step.isNearlyEmpty));
});
