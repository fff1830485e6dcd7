import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Interval } from '../../../../../server/congestion/shared/interval.ts';

test('it is over when its time has passed, counted from the last time it was', () => {
  const interval = new Interval(50);
  assert.deepEqual(
    [1000, 1025, 1049, 1050, 1075, 1110, 1159, 1160].map(nowMs => interval.over(nowMs)),
    [undefined, undefined, undefined, 50, undefined, 60, undefined, 50],
  );
});
