import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planOf } from '../support/plan.ts';

const refused = (require: unknown, message: RegExp) =>
  assert.throws(() => planOf({ require }), { code: 'bad-definition', message });

test('thresholds are part of a definition, and of its plan', () => {
  const require = [
    { metric: 'stall-time', condition: 'all', atMost: '0s' },
    { metric: 'frame-rate', atLeast: '55fps', judge: 'interval' as const },
  ];
  assert.deepEqual(planOf({ require }).definition.require, require);
  assert.equal(planOf().definition.require, undefined);
});

test('what is not a threshold is refused with the path', () => {
  refused([{ metric: 'stall-time' }], /require\.0: give either atMost or atLeast/);
  refused([{ metric: 'stall-time', atMost: '0s', atLeast: '0s' }], /require\.0: give either atMost or atLeast/);
  refused([{ metric: 'stall-time', atmost: '0s' }], /require\.0: unknown key "atmost"; did you mean "atMost"\?/);
  refused([{ metric: 'stall-time', atMost: ['0s'] }], /require\.0\.atMost: must be text with a unit, or a number/);
  refused(
    [{ metric: 'stall-time', atMost: '0s', judge: 'mean' }],
    /require\.0\.judge: "mean" is not one of median, interval/,
  );
});
