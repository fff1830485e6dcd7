/**
 * Random control lines, traces and packets at the core of coexist-link, with the sanitizers: nothing crashes, hangs,
 * leaks or stays unanswered.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTests, make, skip } from '../unit/shaper/support/link-make.ts';
import { effort } from './effort.ts';

test('random lines, traces and packets are all answered, the same way each time', { skip }, async () => {
  await buildTests();
  const { seed, numRuns } = effort(1, 10_000);
  const words = ['fuzz', `RUNS=${numRuns}`, `SEED=${seed}`];
  const outputs = [await make(...words), await make(...words)].map(({ stdout }) => stdout);
  assert.match(
    outputs[0]!,
    new RegExp(`^ok fuzz: ${numRuns} lines \\(\\d+ refused\\), ${numRuns} traces, ${numRuns} packets\\n$`),
  );
  assert.equal(outputs[1], outputs[0]);
});
