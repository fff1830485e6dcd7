import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseCases, isReached, rowOf, streamBps, trafficOf } from '../../bench/estimates/cases.ts';
import type { Case } from '../../bench/estimates/cases.ts';

const one: Case = { rateBps: 40e6, rttMs: 20, control: 'bbr3', mode: 'alone' };

test('every rate, round trip, flow and mode by default; a real trial on one link', () => {
  const { backend, seconds, cases } = chooseCases([]);
  assert.deepEqual([backend, seconds], ['auto', 10]);
  assert.deepEqual([...new Set(cases.map(({ rateBps }) => rateBps / 1e6))], [1, 8, 40, 100]);
  assert.deepEqual([...new Set(cases.map(({ rttMs }) => rttMs))], [0, 2, 20]);
  assert.equal(cases.filter(({ mode }) => mode !== 'trial').length, 4 * 3 * 2 * 3);
  assert.deepEqual(
    cases.filter(({ mode }) => mode === 'trial').map(({ rateBps, rttMs, control }) => [rateBps, rttMs, control]),
    [
      [40e6, 20, 'bbr3'],
      [40e6, 20, 'bbr'],
    ],
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
  const seen = (p99: number, max: number, stillMs = 0.4) => ({
    over: { n: 100, p50: 1, p99, max },
    backend: 'emulator',
    stillMs,
    goodputRatio: 0.98,
  });
  assert.equal(
    rowOf(one, seen(1.1, 1.25)),
    '40 | 20 | bbr3 | alone | emulator | 98 % | 100 | 1.000 | 1.100 | 1.250 | ok',
  );
  assert.equal(
    rowOf(one, seen(1.05, 1.26, 12)),
    '40 | 20 | bbr3 | alone | emulator | 98 % | 100 | 1.000 | 1.050 | 1.260 | MISSED; the machine stood still for 12.0 ms',
  );
  assert.equal(
    rowOf(one, { over: undefined, backend: 'nothing', stillMs: null, goodputRatio: null }),
    '40 | 20 | bbr3 | alone | nothing | - | 0 | - | - | - | MISSED',
  );
  assert.equal(isReached(undefined), false);
});
