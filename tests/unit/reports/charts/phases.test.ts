import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linkPhases, phasesOf } from '../../../../reports/charts/phases.ts';
import { planOf } from '../../harness/support/plan.ts';

const schedule = [
  { atMs: 2000, rateBps: 10e6, rampMs: 0 },
  { atMs: 5000, rateBps: 20e6, rampMs: 0 },
];

test('phases lie between the steps of the link', () => {
  assert.deepEqual(linkPhases({ rateBps: 40e6, schedule }, 8000), [
    { from: 0, to: 2, label: '40 Mbit/s' },
    { from: 2, to: 5, label: '10 Mbit/s' },
    { from: 5, to: 8, label: '20 Mbit/s' },
  ]);
});

test('what comes after the window is no phase, and a link that stays has none', () => {
  assert.deepEqual(
    linkPhases({ rateBps: 40e6, schedule }, 4000).map(({ to }) => to),
    [2, 4],
  );
  assert.deepEqual(linkPhases({ rateBps: 40e6, schedule: [] }, 4000), []);
  assert.deepEqual(linkPhases({ rateBps: 40e6, schedule: [{ atMs: 0, rateBps: 5e6, rampMs: 0 }] }, 4000), [
    { from: 0, to: 4, label: '5 Mbit/s' },
  ]);
});

test('a ramp is a phase that says from what to what the rate goes', () => {
  const ramps = [
    { atMs: 2000, rateBps: 10e6, rampMs: 3000 },
    { atMs: 5000, rateBps: 20e6, rampMs: 5000 },
  ];
  assert.deepEqual(linkPhases({ rateBps: 40e6, schedule: ramps }, 12_000), [
    { from: 0, to: 2, label: '40 Mbit/s' },
    { from: 2, to: 5, label: '40 Mbit/s to 10 Mbit/s' },
    { from: 5, to: 10, label: '10 Mbit/s to 20 Mbit/s' },
    { from: 10, to: 12, label: '20 Mbit/s' },
  ]);
  assert.deepEqual(linkPhases({ rateBps: 40e6, schedule: ramps }, 7000).at(-1), {
    from: 5,
    to: 7,
    label: '10 Mbit/s to 20 Mbit/s',
  });
});

test('a figure of several conditions has the phases that they share', () => {
  const steps = [{ at: '2s', rate: '10mbit' }];
  const link = { rate: '40mbit', queue: { limit: '100packets' }, schedule: steps };
  assert.equal(phasesOf({ plan: planOf({ link, conditions: { a: {}, b: { flood: { id: 'none' } } } }) }).length, 2);
  assert.deepEqual(phasesOf({ plan: planOf({ link, conditions: { a: {}, b: { link: { schedule: [] } } } }) }), []);
});
