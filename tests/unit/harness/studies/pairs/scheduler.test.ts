import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Cell, PairsPlan } from '../../../../../harness/studies/pairs/plan.ts';
import { type CellResults, Scheduler } from '../../../../../harness/studies/pairs/scheduler.ts';
import { contestant, plan } from './support/study.ts';

const none = () => false;

/** Runs a study to its end. `outcome` returns the throughput of each side. */
function run(
  of: PairsPlan,
  outcome: (cell: Cell, round: number) => number[],
  results = new Map<string, CellResults>(),
): string[] {
  const scheduler = new Scheduler(of);
  const order: string[] = [];
  for (
    let trial = scheduler.next(results, new Set(), none);
    trial !== undefined;
    trial = scheduler.next(results, new Set(), none)
  ) {
    order.push(trial.id);
    const cell = of.cells.find(({ id }) => id === trial.condition)!;
    results.set(cell.id, [
      ...(results.get(cell.id) ?? []),
      { round: trial.repeat, throughputBps: outcome(cell, trial.repeat) },
    ]);
  }
  return order;
}

const two = plan([contestant('a'), contestant('b')], { run: { stopping: 'fixed', repeats: 3, soloRepeats: 2 } });
const same = ({ sides }: Cell) => sides.map(() => 4e6);

test('services alone first, then every pair once before any a second time, in another order each round', () => {
  const order = run(two, same);
  assert.equal(order.length, 2 * 2 + 3 * 3);
  assert.deepEqual(
    order.slice(0, 4).map(id => id.includes('alone')),
    [true, true, true, true],
  );
  const rounds = [order.slice(4, 7), order.slice(7, 10), order.slice(10)].map(round =>
    round.map(id => id.replace(/-\d+$/, '')),
  );
  for (const round of rounds) assert.equal(new Set(round).size, 3);
  const many = plan(
    ['a', 'b', 'c', 'd'].map(name => contestant(name)),
    { run: { stopping: 'fixed', repeats: 2, soloRepeats: 1 } },
  );
  const pairs = run(many, same)
    .slice(4)
    .map(id => id.replace(/-\d+$/, ''));
  assert.notDeepEqual(pairs.slice(0, 10), pairs.slice(10));
});

test('the same results lead to the same next trial, however they came about: a study that was killed goes on where it was', () => {
  const whole = run(two, same);
  for (const cut of [1, 5, 9]) {
    const results = new Map<string, CellResults>();
    for (const id of whole.slice(0, cut)) {
      const [cell, round] = [id.slice(0, -4), Number(id.slice(-3))];
      results.set(cell, [
        ...(results.get(cell) ?? []),
        { round, throughputBps: same(two.cells.find(own => own.id === cell)!) },
      ]);
    }
    assert.deepEqual(run(two, same, results), whole.slice(cut));
  }
});

test('a trial that is missing in the middle is run, and takes its own name', () => {
  const results = new Map(
    two.cells.map(({ id, sides }) => [
      id,
      [1, 2, 3].slice(0, sides.length === 1 ? 2 : 3).map(round => ({ round, throughputBps: sides.map(() => 1) })),
    ]),
  );
  results.set(
    '8mbit-a-and-b',
    results.get('8mbit-a-and-b')!.filter(({ round }) => round !== 2),
  );
  assert.equal(new Scheduler(two).next(results, new Set(), none)?.id, '8mbit-a-and-b-002');
});

test('pairs stop one by one as they are known', () => {
  const adaptive = plan([contestant('a'), contestant('b')], { run: { soloRepeats: 1 } });
  const order = run(adaptive, ({ sides }, round) =>
    sides[0] === sides[1] || sides.length === 1 ? sides.map(() => 4e6) : [round % 2 === 0 ? 1e6 : 7e6, 4e6],
  );
  const of = (cell: string) => order.filter(id => id.startsWith(`${cell}-0`)).length;
  assert.deepEqual([of('8mbit-a-and-a'), of('8mbit-b-and-b'), of('8mbit-a-and-b')], [7, 7, 12]);
});

test('the next trial of a cell is its next round', () => {
  const scheduler = new Scheduler(two);
  const results = new Map(
    two.cells
      .filter(({ sides }) => sides.length === 1)
      .map(({ id }) => [id, [1, 2].map(round => ({ round, throughputBps: [1] }))]),
  );
  const first = scheduler.next(results, new Set(), none)!;
  results.set(first.condition, [{ round: 1, throughputBps: [1, 1] }]);
  const again = scheduler.next(
    results,
    new Set(two.cells.map(({ id }) => id).filter(id => id !== first.condition)),
    none,
  )!;
  assert.deepEqual([first.repeat, again.id, again.repeat], [1, `${first.condition}-002`, 2]);
});

test('what runs on another lane or was given up is left alone', () => {
  const scheduler = new Scheduler(two);
  const alone = two.cells.filter(({ sides }) => sides.length === 1).map(({ id }) => id);
  assert.equal(scheduler.next(new Map(), new Set(alone), none), undefined, 'pairs wait for those alone');
  assert.equal(scheduler.next(new Map(), new Set([alone[0]!]), none)?.condition, alone[1]);
  assert.equal(
    scheduler.next(new Map(), new Set(), () => true),
    undefined,
  );
});
