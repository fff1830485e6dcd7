import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePlan } from '../../../harness/definition/plan.ts';
import { preflightMs } from '../../../harness/studies/planner/durations.ts';
import { loadRegistries } from '../../../harness/trial/registries.ts';
import {
  type Case,
  chooseCases,
  isReached,
  nothingSeen,
  rowOf,
  streamBps,
  trafficOf,
  trialsByLink,
  trialWindowS,
} from '../../bench/estimates/cases.ts';
import { definitionOf, describeTrials, mostMs } from '../../bench/estimates/real-trial.ts';

const one: Case = { rateBps: 40e6, rttMs: 20, control: 'bbr3', mode: 'alone' };

test('every rate, round trip, flow and mode by default', () => {
  const { backend, seconds, cases } = chooseCases([]);
  assert.deepEqual([backend, seconds], ['auto', 10]);
  assert.deepEqual([...new Set(cases.map(({ rateBps }) => rateBps / 1e6))], [1, 8, 40, 100]);
  assert.deepEqual([...new Set(cases.map(({ rttMs }) => rttMs))], [0, 2, 20]);
  assert.equal(new Set(cases.map(one => JSON.stringify(one))).size, 4 * 3 * 2 * 4);
  assert.equal(cases.length, 4 * 3 * 2 * 4);
});

test('trials of one link are run together, each link has its own', () => {
  const links = trialsByLink(chooseCases([]).cases);
  assert.equal(links.length, 4 * 3);
  for (const [first, ...others] of links) {
    assert.deepEqual([first!.mode, first!.control], ['trial', 'bbr3']);
    assert.deepEqual(others, [{ ...first!, control: 'bbr' }]);
  }
  assert.deepEqual(
    links.map(([first]) => [first!.rateBps / 1e6, first!.rttMs]),
    [1, 8, 40, 100].flatMap(rate => [0, 2, 20].map(rttMs => [rate, rttMs])),
  );
  assert.deepEqual(trialsByLink([one]), []);
});

test("a link's study is a valid one on just that link, and has a time by which it is stopped", async () => {
  const registries = await loadRegistries();
  for (const [first] of trialsByLink(chooseCases([]).cases)) {
    const plan = makePlan('bench-estimates', definitionOf(first!, ['bbr3', 'bbr'], 'auto', 10), registries);
    assert.deepEqual(
      plan.conditions.map(({ id, link }) => [id, link.rateBps, link.paths['flood']!.rttMs]),
      ['bbr3', 'bbr'].map(id => [id, first!.rateBps, first!.rttMs]),
    );
  }
  assert.deepEqual(
    [3, 10, 30].map(seconds => trialWindowS({ seconds })),
    [10, 10, 30],
  );
  const trial: Case = { ...one, mode: 'trial' };
  // three times 8 s of preparation, the test of the link and two trials of 5 + 10 + 2.5 s
  const testMs = preflightMs({ rateBps: one.rateBps, up: null });
  assert.ok(testMs > 0);
  assert.equal(mostMs([trial, trial], 10), 3 * (8000 + testMs + 2 * 17_500));
  assert.equal(
    describeTrials([[trial, trial], [trial]], 10),
    '3 trials with windows of 10 s on 2 links: about 1 min 25 s, 4 min 20 s at most',
  );
});

test('an argument chooses, and a wrong one is named', () => {
  const { backend, seconds, cases } = chooseCases([
    '--backend',
    'tc',
    '--rates',
    '40',
    '--rtts',
    '0',
    '--flows',
    'bbr',
    '--modes',
    'alone',
    '--seconds',
    '5',
  ]);
  assert.deepEqual([backend, seconds, cases], ['tc', 5, [{ rateBps: 40e6, rttMs: 0, control: 'bbr', mode: 'alone' }]]);
  for (const [argv, message] of [
    [['--backend', 'htb'], /--backend htb: not one of/],
    [['--rates', 'fast'], /--rates fast: not numbers/],
    [['--modes', 'x'], /--modes x/],
    [['--what'], /--what/],
  ] as const) {
    assert.throws(() => chooseCases(argv), { code: 'usage', message });
  }
});

test('an application that pauses comes back with all it can; the stream leaves room on slow links', () => {
  const traffic = trafficOf({ ...one, mode: 'pauses' }, 10);
  assert.ok('steps' in traffic);
  assert.equal(
    traffic.steps.reduce((sum, [seconds]) => sum + seconds, 0),
    10,
  );
  assert.deepEqual([...new Set(traffic.steps.map(([, bps]) => bps))], [-1, 0]);
  assert.deepEqual(trafficOf(one, 10), { steps: [[10, -1]] });
  assert.deepEqual(
    [40e6, 8e6].map(rateBps => streamBps({ ...one, rateBps, mode: 'stream' })),
    [7e6, 2e6],
  );
  assert.equal(streamBps(one), 0);
});

test('a row tells whether the limits were kept, on how many samples', () => {
  const seen = (p99: number, max: number, heldUpMs = 0.4) => ({
    over: { n: 100, p50: 1, p99, max },
    backend: 'emulator',
    heldUpMs,
    goodputRatio: 0.98,
  });
  assert.equal(
    rowOf(one, seen(1.1, 1.25)),
    '40 | 20 | bbr3 | alone | emulator | 98 % | 100 | 1.000 | 1.100 | 1.250 | ok',
  );
  assert.equal(
    rowOf(one, seen(1.05, 1.26, 12)),
    '40 | 20 | bbr3 | alone | emulator | 98 % | 100 | 1.000 | 1.050 | 1.260 | MISSED; the machine was held up for 12.0 ms',
  );
  assert.equal(
    rowOf({ ...one, mode: 'trial' }, { ...seen(1.05, 1.1), heldUpMs: null, streamBps: 3.1e6 }),
    '40 | 20 | bbr3 | trial | emulator | 98 % | 100 | 1.000 | 1.050 | 1.100 | ok; the stream got 3.1 Mbit/s',
  );
  assert.equal(
    rowOf(one, nothingSeen('no trial was completed in time')),
    '40 | 20 | bbr3 | alone | nothing | - | 0 | - | - | - | MISSED; no trial was completed in time',
  );
  assert.equal(isReached(undefined), false);
});
