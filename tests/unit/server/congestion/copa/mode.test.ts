import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Mode } from '../../../../../server/congestion/copa/mode.ts';
import { near } from '../gcc/near.ts';

const loopMs = 100;

/** Reports every 50 ms from `fromMs` on without an empty queue; an x in the text is a report with a loss. */
function compete(mode: Mode, reports: string, fromMs = 0): void {
  for (const [i, report] of [...reports].entries()) mode.update(false, report === 'x', fromMs + 50 * i, loopMs);
}

test('where the queue was nearly empty of late, delta is the default', () => {
  const mode = new Mode(0.5, true);
  mode.update(true, true, 0, loopMs);
  assert.deepEqual([mode.isCompetitive, mode.delta], [false, 0.5]);
});

test('in competition 1 / delta grows by 1 a loop', () => {
  const mode = new Mode(0.5, true);
  compete(mode, '.');
  assert.deepEqual([mode.isCompetitive, 1 / mode.delta], [true, 2]);
  compete(mode, '......', 50);
  near(1 / mode.delta, 5);
});

test('a loss halves it, once a loop, and never below the default', () => {
  const mode = new Mode(0.5, true);
  compete(mode, '.'.repeat(13)); // up to 600 ms: 2 + 6
  near(1 / mode.delta, 8);
  compete(mode, 'x', 650);
  near(1 / mode.delta, 4);
  compete(mode, 'x', 700);
  near(1 / mode.delta, 4, 'the same loop');
  compete(mode, 'x', 750);
  near(1 / mode.delta, 2);
  compete(mode, 'x', 850);
  near(1 / mode.delta, 2);
});

test('an empty queue ends the competition at once', () => {
  const mode = new Mode(0.5, true);
  compete(mode, '.'.repeat(13));
  mode.update(true, false, 650, loopMs);
  assert.deepEqual([mode.isCompetitive, mode.delta], [false, 0.5]);
  compete(mode, '..', 700);
  near(1 / mode.delta, 2);
});

test('it can be told not to compete', () => {
  const mode = new Mode(0.1, false);
  compete(mode, '....x...');
  assert.deepEqual([mode.isCompetitive, mode.delta], [false, 0.1]);
});
