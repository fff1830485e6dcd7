import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PairsPlan } from '../../../../../harness/studies/pairs/plan.ts';
import { qualityQuantities } from '../../../../../harness/studies/pairs/quality.ts';
import { sharesOn, summarisePairs, type TrialInFolder } from '../../../../../harness/studies/pairs/summarise.ts';
import { contestant, plan, trial, trials } from './support/study.ts';

const summarise = (of: PairsPlan, all: readonly TrialInFolder[], givenUp = new Map<string, string>()) =>
  summarisePairs({ plan: of, trials: all, quantities: qualityQuantities, givenUp });
const repeated = (n: number, sides: number[]) => Array.from({ length: n }, () => sides);

describe('one pair, by hand', () => {
  const of = plan([contestant('bulk'), contestant('call', 2.5e6)], { run: { soloRepeats: 1 } });
  const summary = summarise(of, [
    ...trials(of, '8mbit-bulk-alone', [[7.9]]),
    ...trials(of, '8mbit-call-alone', [[1.9]]),
    ...trials(of, 'open-call-alone', [[2]]),
    ...trials(of, '8mbit-bulk-and-call', [...repeated(6, [6, 1]), [5.8, 1.4]]),
  ]);
  const cell = summary.cells.find(({ id }) => id === '8mbit-bulk-and-call')!;
  const [bulk, call] = cell.sides;
  test("each is due what is left by the other's cap", () => assert.deepEqual([bulk!.dueBps, call!.dueBps], [6e6, 2e6]));
  test('shares are medians over trials, with the interval that seven trials have: their range', () => {
    assert.deepEqual(call!.values['share'], { value: 0.5, low: 0.5, high: 0.7, n: 7, confidence: 0.95 });
    assert.deepEqual(bulk!.values['throughput'], { value: 6e6, low: 5.8e6, high: 6e6, n: 7, confidence: 0.95 });
  });
  test('together they used the link so far', () =>
    assert.deepEqual(cell.utilisation, { value: 0.875, low: 0.875, high: 0.9, n: 7, confidence: 0.95 }));
  test('loss is what was dropped of what came', () => assert.equal(call!.values['loss']!.value, 0.1));
  test('the queue delay is the mean over its packets', () => assert.equal(call!.values['queue-delay']!.value, 50));
  test('no UDP, no late packets', () => assert.equal(call!.values['late']!.value, null));
  test('both are known to within 0.5 Mbit/s: no more trials are due', () => assert.equal(cell.state, 'converged'));
  test('the caps that went into it', () => assert.deepEqual(summary.links[0]!.capsBps, { bulk: null, call: 2e6 }));
});

test('a trial that does not count is in no number, and is listed', () => {
  const of = plan([contestant('a')], { run: { soloRepeats: 1 } });
  const voided = trial(of, '8mbit-a-and-a', 1, [8e6, 0], {
    file: { verdict: { status: 'invalid', findings: [{ kind: 'host', status: 'invalid', message: 'busy' }] } },
  });
  const summary = summarise(of, [...trials(of, '8mbit-a-and-a', [[3, 5]]), { ...voided, name: 'v' }]);
  const cell = summary.cells.find(({ sides }) => sides.length === 2)!;
  assert.deepEqual(
    [cell.trials, cell.voided, cell.sides[0]!.values['throughput']!.value],
    [['8mbit-a-and-a-001'], 1, 3e6],
  );
  assert.equal(summary.trials.length, 2);
});

test('of a service beside itself the one that got less counts', () => {
  const of = plan([contestant('a')]);
  const { cells } = summarise(of, trials(of, '8mbit-a-and-a', [[3, 5]]));
  assert.deepEqual(sharesOn(cells, '8mbit'), [{ incumbent: 'a', contender: 'a', share: 0.75, interval: null }]);
});

test('losers: the lower share of each pair', () => {
  const of = plan([contestant('a'), contestant('b')]);
  const { links } = summarise(of, [
    ...trials(of, '8mbit-a-and-a', [[4, 4]]),
    ...trials(of, '8mbit-a-and-b', [[1.6, 6.4]]),
    ...trials(of, '8mbit-b-and-b', [[3.4, 4.6]]),
  ]);
  assert.deepEqual(links[0]!.losers, { n: 3, median: 0.85, belowNinety: 2, belowFifty: 1 });
});

test('a cell that could not be measured says why, and the others stand', () => {
  const of = plan([contestant('a'), contestant('b')]);
  const { cells } = summarise(
    of,
    trials(of, '8mbit-a-and-a', [[4, 4]]),
    new Map([['8mbit-a-and-b', 'b never starts']]),
  );
  const cell = cells.find(({ id }) => id === '8mbit-a-and-b')!;
  assert.deepEqual(
    [cell.state, cell.reason, cell.sides[0]!.values['share']],
    ['given-up', 'b never starts', { value: null, low: null, high: null, n: 0, confidence: null }],
  );
});

test('a service that now wins and now loses has two modes, and is given up as unstable', () => {
  const of = plan([contestant('a'), contestant('b')]);
  const { cells } = summarise(
    of,
    trials(
      of,
      '8mbit-a-and-b',
      Array.from({ length: 12 }, (_, k) => (k % 2 === 0 ? [2, 6] : [5, 3])),
    ),
  );
  const cell = cells.find(({ id }) => id === '8mbit-a-and-b')!;
  assert.deepEqual([cell.state, cell.sides[0]!.modes], ['futile', { below: 2e6, above: 5e6 }]);
});

test('a share that falls and rises with the bandwidth is found; a doubled queue is no bandwidth', () => {
  const of = plan([contestant('a'), contestant('b')], { links: ['8mbit', '20mbit', '50mbit', '8mbit-deep'] });
  const on = (link: string, mbps: number, a: number) => trials(of, `${link}-a-and-b`, repeated(7, [a, mbps - a]));
  const all = [...on('8mbit', 8, 4), ...on('20mbit', 20, 4), ...on('50mbit', 50, 25), ...on('8mbit-deep', 8, 1)];
  assert.deepEqual(
    summarise(of, all).sweeps.filter(({ incumbent, contender }) => incumbent === 'a' && contender === 'b'),
    [{ incumbent: 'a', contender: 'b', fall: [8e6, 20e6], rise: [20e6, 50e6] }],
  );
});

test('a pair that could not be measured on the first link is looked at on the others', () => {
  const of = plan([contestant('a'), contestant('b')], { links: ['4mbit', '8mbit', '20mbit', '50mbit'] });
  const on = (link: string, mbps: number, a: number) => trials(of, `${link}-a-and-b`, repeated(7, [a, mbps - a]));
  const { sweeps } = summarise(
    of,
    [...on('8mbit', 8, 4), ...on('20mbit', 20, 4), ...on('50mbit', 50, 25)],
    new Map([['4mbit-a-and-b', 'a never starts']]),
  );
  assert.ok(sweeps.some(({ incumbent, contender }) => incumbent === 'a' && contender === 'b'));
});

test('what the users saw comes with its trial', () => {
  const of = plan([contestant('a')], { run: { soloRepeats: 1 } });
  const { cells } = summarise(of, [trial(of, '8mbit-a-alone', 1, [1e6], { quality: [{ 'frame-rate': 29 }] })]);
  assert.equal(cells[0]!.sides[0]!.values['frame-rate']!.value, 29);
});
