import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../../../../core/random.ts';
import { furtherTries } from '../../../../../core/vocabulary/retries.ts';
import type { TrialFile, Verdict } from '../../../../../harness/record/trial-file.ts';
import { GridPlanner } from '../../../../../harness/studies/planner/grid.ts';
import { RetryPolicy } from '../../../../../harness/studies/planner/retry-policy.ts';
import { planOf } from '../../support/plan.ts';

const valid: Verdict = { status: 'valid', findings: [] };
const voided = (message: string, kind: 'host' | 'failure' = 'host'): Verdict => ({
  status: 'invalid',
  findings: [{ kind, status: 'invalid', message }],
});
const trial = (condition: string, number: number) => ({ id: `${condition}-${number}`, condition });
let noise = 0;
/** Returns a void verdict with another reason each time. */
const atRandom = () => voided(`part ${'abcdefghijklmnopqrstuvwxyz'[noise++ % 26]} was late`);

test('a third more tries than trials, and two: with the setting as it is', () => {
  assert.deepEqual(
    [1, 2, 3, 8, 60].map(trials => furtherTries(2, trials)),
    [3, 3, 3, 5, 22],
  );
  assert.equal(furtherTries(0, 60), 0);
});

test('one unlucky trial may take all the tries that the study has, and then no more', () => {
  const policy = new RetryPolicy({ retries: 2, trials: 8 });
  const fates = Array.from({ length: 6 }, () => policy.take(trial('a', 1), atRandom()));
  assert.deepEqual(fates, ['again', 'again', 'again', 'again', 'again', 'lost']);
  assert.equal(policy.take(trial('b', 1), atRandom()), 'lost', 'they are of the whole study');
  assert.equal(policy.take(trial('b', 2), valid), 'counts');
});

test('without retries no trial is run again', () => {
  assert.equal(new RetryPolicy({ retries: 0, trials: 8 }).take(trial('a', 1), atRandom()), 'lost');
});

test('a part that fails is tried once more in each trial', () => {
  const policy = new RetryPolicy({ retries: 9, trials: 60 });
  for (const number of [1, 2]) {
    const fates = [1, 2].map(() => policy.take(trial('a', number), voided(`ended with ${number}`, 'failure')));
    assert.deepEqual(fates, ['again', 'lost']);
  }
});

test('what another try would not change is not tried again, and says what helps', () => {
  const policy = new RetryPolicy({ retries: 9, trials: 60 });
  const refused: Verdict = {
    status: 'invalid',
    findings: [
      { kind: 'host', status: 'note', message: 'quiet' },
      { kind: 'link', status: 'invalid', message: 'the link is not what was asked for: 1', advice: 'another AQM' },
    ],
  };
  assert.equal(policy.take(trial('a', 1), refused), 'lost');
  assert.deepEqual(
    [...policy.givenUp],
    [['a', 'another try would end the same way (the link is not what was asked for: 1); another AQM']],
  );
  assert.deepEqual([...policy.lasting], [['a', 'another AQM']]);
  assert.equal(policy.take(trial('b', 1), atRandom()), 'again', 'the others go on');
});

test('the other trials of such a condition are not begun', () => {
  const verdict: Verdict = {
    status: 'invalid',
    findings: [{ kind: 'link', status: 'invalid', message: 'refused', advice: 'another rate' }],
  };
  const plan = planOf({ conditions: { a: {}, b: { link: { loss: '1%' } } }, run: { repeats: 4 } } as never);
  const planner = new GridPlanner(plan, plan.trials);
  const tries: string[] = [];
  for (let planned = planner.next(); planned !== undefined; planned = planner.next()) {
    tries.push(planned.trial.condition);
    planner.take(planned, { verdict: planned.trial.condition === 'a' ? verdict : valid } as TrialFile);
  }
  assert.deepEqual(tries, ['a', 'b', 'b', 'b', 'b']);
  assert.equal(planner.failed.length, 4);
  assert.deepEqual(planner.advice, { words: ['another rate'], all: true });
});

test('a condition whose tries are all void for one reason is given up, whatever its numbers', () => {
  const policy = new RetryPolicy({ retries: 2, trials: 60 });
  const busy = (percent: number) => policy.take(trial('a', 1), voided(`the machine was ${percent} % busy`));
  assert.equal(policy.take(trial('b', 1), valid), 'counts');
  assert.deepEqual([busy(97), busy(98), busy(99)], ['again', 'again', 'lost']);
  assert.deepEqual(
    [...policy.givenUp],
    [['a', 'all 3 of its tries were void for one reason: the machine was \u2026 % busy']],
  );
});

test('who has a valid trial is not given up, nor who has several reasons', () => {
  const policy = new RetryPolicy({ retries: 2, trials: 60 });
  policy.take(trial('a', 1), valid);
  for (let k = 0; k < 5; k++) policy.take(trial('a', 2), voided('busy'));
  for (let k = 0; k < 6; k++) policy.take(trial('b', 1), atRandom());
  assert.deepEqual([...policy.givenUp], []);
});

test('with more retries, or many repeats, it takes more tries to be given up', () => {
  const tries = (rule: ConstructorParameters<typeof RetryPolicy>[0]) => {
    const policy = new RetryPolicy(rule);
    policy.take(trial('other', 1), valid);
    let count = 1;
    while (policy.take(trial('a', 1), voided('busy')) === 'again') count++;
    return count;
  };
  assert.equal(tries({ retries: 6, trials: 12 }), 7);
  assert.equal(tries({ retries: 2, trials: 60, repeats: 30 }), 15);
});

test('where results decide on the number of trials, those count that were tried', () => {
  const policy = new RetryPolicy({ retries: 1, trials: null });
  assert.deepEqual(
    [1, 2, 3].map(() => policy.take(trial('a', 1), atRandom())),
    ['again', 'again', 'lost'],
  );
  for (let k = 2; k <= 7; k++) policy.take(trial('b', k), valid);
  assert.equal(policy.take(trial('c', 8), atRandom()), 'again');
});

type Said = { tries: string[]; failed: string[]; minutes: number };

/** Runs a study in virtual time, a minute for each try. `verdict`: verdict on the trial at this minute. */
function played(
  change: { [key: string]: unknown },
  verdict: (trial: { id: string; condition: string }, minute: number) => Verdict,
): Said {
  const plan = planOf(change);
  const planner = new GridPlanner(plan, plan.trials);
  const tries: string[] = [];
  let minutes = 0;
  for (let planned = planner.next(); planned !== undefined; planned = planner.next()) {
    tries.push(planned.trial.id);
    planner.take(planned, { verdict: verdict(planned.trial, minutes++) } as TrialFile);
  }
  assert.equal(planner.left, 0);
  return { tries, failed: planner.failed.map(({ id }) => id), minutes };
}

/** Returns conditions with these names. They differ in loss. */
const conditions = (names: string) =>
  Object.fromEntries(names.split('').map((name, k) => [name, { link: { loss: `${k}%` } }]));
const three = conditions('abc');
const fourTimesTwo = { conditions: conditions('abcd'), run: { repeats: 2 } };

test('a void trial is run again after the others of its repeat', () => {
  const { tries } = played({ conditions: three, run: { repeats: 2 } }, ({ id }, minute) =>
    id === '0001-a' && minute < 3 ? atRandom() : valid,
  );
  assert.deepEqual(tries, ['0001-a', '0002-b', '0003-c', '0001-a', '0004-a', '0005-b', '0006-c']);
});

test('it waits for another repeat before its third try', () => {
  const { tries } = played({ conditions: three, run: { repeats: 2 } }, ({ id }, minute) =>
    id === '0001-a' && minute < 4 ? atRandom() : valid,
  );
  assert.deepEqual(tries, ['0001-a', '0002-b', '0003-c', '0001-a', '0004-a', '0005-b', '0006-c', '0001-a']);
});

test('on a hopeless machine every condition is tried, and the study ends long before its tries are used up', () => {
  const { tries, failed } = played({ conditions: three, run: { repeats: 30 } }, () =>
    voided('the machine was 99 % busy'),
  );
  assert.equal(new Set(tries.map(id => id.slice(5))).size, 3);
  assert.ok(tries.length <= 2 * 15, `${tries.length} tries`);
  assert.equal(failed.length, 90);
  assert.equal(played(fourTimesTwo, () => voided('the machine was 99 % busy')).minutes, 6);
});

test('conditions that come after the machine was found hopeless still have one try each', () => {
  const { tries } = played({ conditions: conditions('abcdefghijkl'), run: { repeats: 2 } }, () => voided('busy'));
  assert.deepEqual(
    tries.slice(0, 12).map(id => id.slice(5)),
    'abcdefghijkl'.split(''),
  );
  assert.equal(tries.length, 12);
});

test('a disturbance of some minutes costs a long study a few tries and no trial', () => {
  const { failed, minutes } = played({ conditions: three, run: { repeats: 20 } }, (_, minute) =>
    minute < 6 ? voided('the machine was 99 % busy') : valid,
  );
  assert.deepEqual(failed, []);
  assert.equal(minutes, 66);
});

test('a machine that voids four of ten tries at random ends a study in the time that was told', () => {
  const random = seededRandom(7);
  const studies = Array.from({ length: 400 }, () =>
    played(fourTimesTwo, () => (random.next() < 0.4 ? atRandom() : valid)),
  );
  assert.ok(studies.every(({ minutes }) => minutes <= 8 + furtherTries(2, 8)));
  const lost = studies.reduce((sum, { failed }) => sum + failed.length, 0) / studies.length;
  assert.ok(lost < 1, `${lost} of 8 trials are lost on average`);
});
