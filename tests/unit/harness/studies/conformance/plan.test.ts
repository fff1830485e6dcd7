import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { withAssignments, withValue } from '../../../../../harness/definition/set.ts';
import type { ConformanceDefinition } from '../../../../../harness/studies/conformance/define.ts';
import { plugin } from '../../../../../harness/studies/conformance/index.ts';
import { makeConformancePlan } from '../../../../../harness/studies/conformance/plan.ts';
import { GridPlanner } from '../../../../../harness/studies/planner/grid.ts';
import { loadRegistries } from '../../../../../harness/trial/registries.ts';

const registries = await loadRegistries();
const { definition: shipped } = await plugin.load('conformance');
const gcc = shipped.senders['gcc']!;

const one = {
  id: 'own',
  title: 'a case',
  source: 'own',
  window: '20s',
  link: { rate: '1mbit', queue: { limit: '300ms' } },
  media: { 'media-1': {} },
  expects: { 'used-share': {} },
};

const planOf = (change: object, sender: object = gcc) =>
  makeConformancePlan(
    'study',
    { ...shipped, senders: { gcc: sender }, ...change } as ConformanceDefinition,
    registries,
  );

const { cases: _, ...unchosen } = shipped;
/** Plan of every shipped case with every shipped sender. */
const whole = await makeConformancePlan('conformance', unchosen, registries);
const known = whole.cases.map(({ id }) => id);

test('every shipped case with every shipped sender has a condition, or the reason why not', () => {
  assert.equal(whole.cells.length, known.length * Object.keys(shipped.senders).length);
  for (const cell of whole.cells) assert.equal(cell.condition === null, cell.notRun !== null, JSON.stringify(cell));
  assert.ok(whole.cases.every(({ notRun, expectations }) => notRun !== null || expectations.length > 0));
});

test('each file has a case of its name, or cases whose names begin with it', () => {
  const folder = new URL('../../../../../harness/studies/conformance/cases/', import.meta.url);
  const files = readdirSync(folder).map(file => file.replace(/\.ts$/, ''));
  const alone = files.filter(file => known.includes(file));
  const tables = files.filter(file => !known.includes(file));
  assert.deepEqual(tables, ['libwebrtc-l4s', 'libwebrtc-scream']);
  const ofTables = tables.flatMap(file => known.filter(id => id.startsWith(`${file}-`)));
  assert.deepEqual([...alone, ...ofTables].sort(), [...known].sort());
});

test('the beginning of ids chooses all cases that have it, and a whole id only its own', async () => {
  const { cases } = await planOf({ cases: ['rfc8869-3.1', 'rfc8867-5.1', 'libwebrtc'] });
  const beginning = (words: string) => known.filter(id => id.startsWith(words));
  assert.deepEqual(
    cases.map(({ id }) => id),
    [...beginning('rfc8869-3.1-'), 'rfc8867-5.1', ...beginning('libwebrtc-')],
  );
});

test('each condition has the window of its case, and the planner runs it for that long', async () => {
  const plan = await planOf({ cases: ['rfc8867-5.1', 'rfc8867-5.2'], run: { repeats: 1, startUp: '4s' } });
  assert.deepEqual(
    plan.conditions.map(({ id, windowMs }) => [id, windowMs]),
    [
      ['rfc8867-5.1-gcc', 100_000],
      ['rfc8867-5.2-gcc', 125_000],
    ],
  );
  const planner = new GridPlanner(plan, plan.trials);
  const times = [planner.next()!, planner.next()!].map(planned => planned.times);
  assert.deepEqual(
    times.map(({ windowMs, settleMs }) => [windowMs, settleMs]),
    [
      [100_000, 4000],
      [125_000, 4000],
    ],
  );
  assert.equal(planner.places, 2);
});

test('the media flows of a case have the rates of the case and the controller of the sender', async () => {
  const { conditions } = await planOf({ cases: ['rfc8867-5.4'] });
  const { applications, link } = conditions[0]!;
  const of = applications.map(({ name, startMs, service }) => {
    const { minBitrate, maxBitrate, controller } = service.params as Record<string, { id: string }>;
    return [name, startMs, minBitrate, maxBitrate, controller!.id];
  });
  assert.deepEqual(of, [
    ['media-1', 0, 150e3, 1.5e6, 'gcc'],
    ['media-2', 20_000, 150e3, 1.5e6, 'gcc'],
    ['media-3', 40_000, 150e3, 1.5e6, 'gcc'],
  ]);
  assert.equal(link.rateBps, 3.5e6);
});

test('a sender that ignores marks has no case with marks', async () => {
  const plan = await planOf({ cases: ['rfc8867-6.2-5.1', 'rfc8867-5.1'] });
  assert.deepEqual(
    plan.cells.map(({ notRun }) => notRun),
    ['GCC does not react to marks', null],
  );
  const marking = await planOf({ cases: ['rfc8867-6.2-5.1'] }, shipped.senders['nada']);
  assert.equal((marking.conditions[0]!.applications[0]!.service.params as { ecn: boolean }).ecn, true);
});

test('a sender without ECN runs a case with marks that says what it meets there', async () => {
  const marking = { ...one, link: { ...one.link, queue: { limit: '300ms', aqm: 'dualpi2', ecn: true } }, marks: true };
  const plan = await planOf({ cases: [{ ...marking, withoutEcn: 'It is in the classic queue.' }] });
  assert.deepEqual(
    plan.cells.map(({ notRun }) => notRun),
    [null],
  );
  assert.equal(plan.cases[0]!.withoutEcn, 'It is in the classic queue.');
  assert.match(plugin.describe(plan, registries), /^ {4}without ECN: It is in the classic queue\.$/m);
  assert.equal((plan.conditions[0]!.applications[0]!.service.params as { ecn: boolean }).ecn, false);
});

test('bounds of the definition come before those of the case, and these before those of the measure', async () => {
  const bound = async (expects: object, bounds = {}) =>
    (await planOf({ cases: [{ ...one, expects: { 'used-share': expects } }], bounds })).cases[0]!.expectations[0]!;
  assert.equal((await bound({})).atLeast, 0.7);
  assert.equal((await bound({ atLeast: '50%' })).atLeast, 0.5);
  assert.equal((await bound({ atLeast: '50%' }, { 'used-share': { atLeast: '90%' } })).atLeast, 0.9);
});

const refused: readonly [what: string, change: object, message: RegExp][] = [
  ['an unknown case', { cases: ['rfc8867-5.11'] }, /^study: there is no case "rfc8867-5\.11"/],
  ['an unknown sender', { only: ['gc'] }, /^study: there is no sender "gc"/],
  ['two cases of one id', { cases: [one, one] }, /^study: cases: two have the id "own"$/],
  [
    'an unknown measure',
    { cases: [{ ...one, expects: { delay: {} } }] },
    /^study: case own: there is no measure "delay"/,
  ],
  ['an unknown measure of bounds', { bounds: { delay: {} } }, /^study: bounds: there is no measure "delay"/],
  [
    'a span after the window',
    { cases: [{ ...one, expects: { 'used-share': { from: '30s' } } }] },
    /^study: case own: expects\.used-share: its span ends after the window$/,
  ],
  [
    'a bound in another unit',
    { cases: [{ ...one, expects: { 'used-share': { atLeast: '3s' } } }] },
    /^study: case own: expects\.used-share: "3s" is no bound for used-share; write it like "2%"$/,
  ],
  [
    'steps out of order',
    {
      cases: [
        {
          ...one,
          link: {
            ...one.link,
            schedule: [
              { at: '10s', rate: '1mbit' },
              { at: '5s', rate: '2mbit' },
            ],
          },
        },
      ],
    },
    /^study: case own with gcc: link: schedule\.1\.at: steps must be in order/,
  ],
  [
    'a flow that starts after the window',
    { cases: [{ ...one, media: { 'media-1': {}, 'media-2': { start: '25s' } } }] },
    /^study: case own with gcc: applications\.media-2: /,
  ],
  [
    'a priority of nothing',
    { cases: [{ ...one, media: { 'media-1': { weight: 0 } } }] },
    /^study: cases\.0: media\.media-1\.weight: /,
  ],
  ['no case that can be run', { cases: ['rfc8869-3.2'] }, /^study: no sender can run any of the cases$/],
];

for (const [what, change, message] of refused)
  test(`${what} is refused in one line`, () =>
    assert.rejects(planOf(change), (error: Error) => message.test(error.message) || assert.fail(error.message)));

test('the plan of a folder is made again from its definition, and a changed one is refused', async () => {
  const plan = await planOf({ cases: ['rfc8867-5.1'] });
  const kept = JSON.parse(JSON.stringify(plan)) as typeof plan;
  assert.deepEqual((await plugin.planAgain(kept, registries, 'folder', {})).trials, plan.trials);
  await assert.rejects(
    async () => plugin.planAgain({ ...kept, confidence: 0.5 }, registries, 'folder', {}),
    /confidence/,
  );
});

test('--case and --sender choose, and an empty list is refused', () => {
  const { changes } = plugin.chosen!({ case: 'a, b', sender: 'gcc', repeats: '2' }, undefined);
  assert.deepEqual(changes, [
    ['cases', ['a', 'b']],
    ['only', ['gcc']],
    ['run.repeats', 2],
  ]);
  assert.throws(() => plugin.chosen!({ case: ',' }, undefined), /--case names no case/);
});

test('the options and --set reach a definition that has neither cases nor bounds', async () => {
  const { changes } = plugin.chosen!({ case: 'rfc8867-5.1', sender: 'gcc' }, undefined);
  const asked = changes.reduce((changed, [path, value]) => withValue(changed, path, value), shipped);
  const set = withAssignments(asked, ['bounds.used-share.atLeast=80%', 'senders.gcc.service.controller=copa']);
  const { conditions, cases } = await makeConformancePlan('study', set, registries);
  assert.deepEqual(
    conditions.map(({ id }) => id),
    ['rfc8867-5.1-gcc'],
  );
  const { controller } = conditions[0]!.applications[0]!.service.params as { controller: { id: string } };
  assert.deepEqual([controller.id, cases[0]!.expectations[0]!.atLeast], ['copa', 0.8]);
});

test('a dry run tells windows, links, expectations, and what is not run', async () => {
  const plan = await planOf({ cases: ['rfc8867-5.1', 'rfc8869-3.2'], run: { repeats: 1 } });
  const text = plugin.describe(plan, registries);
  assert.match(text, /^rfc8867-5\.1 {2}capacity that changes, one flow, 100 s$/m);
  assert.match(text, /^ {4}Queue delay, 95th percentile, 0 ms to 100 s: at most 100 ms$/m);
  assert.match(text, /^rfc8869-3\.2 {2}bottleneck in the Wi-Fi network: not run, it asks for 802\.11n stations/m);
  assert.match(text, /^1 trial, about [^;]+; up to \d further tries if trials are void$/m);
});
