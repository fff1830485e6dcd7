import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changesBetween } from '../../../../../harness/studies/pairs/changes.ts';
import { summarisePairs } from '../../../../../harness/studies/pairs/summarise.ts';
import { versions } from '../../support/run-folder.ts';
import { contestant, plan, trials } from './support/study.ts';

const of = plan([contestant('a'), contestant('b')]);
function cycle(mbps: number[][], change: Partial<typeof versions> = {}, study = of) {
  return {
    summary: summarisePairs({
      plan: study,
      trials: trials(study, '8mbit-a-and-b', mbps),
      quantities: [],
      givenUp: new Map(),
    }),
    versions: { ...versions, ...change },
    run: study.run,
  };
}
const seven = (a: number, b: number) => Array.from({ length: 7 }, (_, k) => [a + k / 100, b - k / 100]);

test('nothing changed', () => {
  assert.deepEqual(changesBetween(cycle(seven(3, 5)), cycle(seven(3.02, 5))), {
    machine: [],
    run: [],
    services: [],
    shares: [],
    comparable: 2,
  });
});

test('a share that moved out of its interval, and the kernel that did it', () => {
  const changes = changesBetween(cycle(seven(3, 5)), cycle(seven(4, 4), { kernel: '6.19' }));
  assert.deepEqual(changes.machine, ['kernel: 6.18 \u2192 6.19']);
  assert.deepEqual(
    changes.shares.map(({ incumbent, contender, before, after }) => [
      incumbent,
      contender,
      before.value!.toFixed(4),
      after.value!.toFixed(4),
    ]),
    [
      ['a', 'b', '0.7575', '1.0075'],
      ['b', 'a', '1.2425', '0.9925'],
    ],
  );
});

test('a player that was upgraded is a change; what was not written down at the time is none', () => {
  const seen = (version: string) => ({ 'hls.js': version });
  assert.deepEqual(changesBetween(cycle([], seen('1.6.1')), cycle([], seen('1.6.2'))).machine, [
    'hls.js: 1.6.1 \u2192 1.6.2',
  ]);
  assert.deepEqual(changesBetween(cycle([]), cycle([], seen('1.6.2'))).machine, []);
});

test('a longer window is a change: it moves shares by itself', () => {
  const longer = { ...of, run: { ...of.run, windowMs: 360_000 } };
  assert.deepEqual(changesBetween(cycle([]), cycle([], {}, longer)).run, ['windowMs: 60000 \u2192 360000']);
});

test('without intervals nothing can be said to have moved', () => {
  const { shares, comparable } = changesBetween(cycle([[1, 7]]), cycle([[7, 1]]));
  assert.deepEqual([shares, comparable], [[], 0]);
});

test('services that came, went, or are another thing under their name', () => {
  const other = plan([
    { ...contestant('a'), service: { id: 'greedy', title: 'greedy', params: { flows: 2 } } },
    contestant('c'),
  ]);
  const now = {
    ...cycle([]),
    summary: summarisePairs({ plan: other, trials: [], quantities: [], givenUp: new Map() }),
  };
  assert.deepEqual(changesBetween(cycle([]), now).services, ['c is new', 'b is gone', 'a is defined differently']);
});
