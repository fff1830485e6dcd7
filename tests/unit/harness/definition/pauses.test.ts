import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ExperimentDefinition } from '../../../../harness/definition/define.ts';
import { makePlan, type Plan } from '../../../../harness/definition/plan.ts';
import { definition, registries } from '../support/plan.ts';

const clip = { service: { id: 'clip' } };
const { service: _, flood: __, ...rest } = definition;
const long = (applications: object, change: object = {}): Plan =>
  makePlan('study', { ...rest, applications, ...change } as ExperimentDefinition, registries);
/** Refuses the pauses of the application "two", beside a subject without pauses, in a window of 40 s. */
const refused = (pauses: unknown, message: RegExp, hint: RegExp, two: object = clip) =>
  assert.throws(() => long({ one: clip, two: { ...two, pauses } }), { code: 'bad-definition', message, hint });

test('an application pauses at its times, and one without pauses has none in the plan', () => {
  const pauses = [
    { from: '5s', to: '10s' },
    { from: '10s', to: '12s' },
  ];
  const { applications, subject } = long({ one: { ...clip, pauses }, two: clip }).conditions[0]!;
  assert.deepEqual(applications[0]!.pauses, [
    { fromMs: 5000, toMs: 10_000 },
    { fromMs: 10_000, toMs: 12_000 },
  ]);
  assert.equal('pauses' in applications[1]!, false);
  assert.equal(subject, 'two', 'the subject is in use for the whole window');
});

test('a condition and --set reach a pause as they reach a start', () => {
  const { conditions } = long(
    { one: clip, two: clip },
    { conditions: { held: { applications: { two: { pauses: [{ from: '1s', to: '2s' }] } } }, not: {} } },
  );
  assert.deepEqual(
    conditions.map(({ applications }) => applications[1]!.pauses?.length ?? 0),
    [1, 0],
  );
});

test('pauses that cannot be kept are refused in one line', () => {
  refused([{ from: '9s', to: '9s' }], /two: pauses\.0: it ends at 9 s and begins at 9 s/, /"from" comes before "to"/);
  refused([{ from: '9s', to: '41s' }], /9 s to 41 s is not within the use, 0 s to 40 s/, /end of run\.window/);
  refused([{ from: '1s', to: '6s' }], /1 s to 6 s is not within the use, 5 s to 20 s/, /after the start/, {
    ...clip,
    start: '5s',
    stop: '20s',
  });
  const crossed = [
    { from: '1s', to: '6s' },
    { from: '5s', to: '9s' },
  ];
  refused(crossed, /pauses\.1: it begins at 5 s, before the end of the one before it/, /one after the other/);
  refused([{ from: '1s', to: '2s' }], /two: pauses: the service tcp cannot pause/, /take one that can: clip$/, {
    service: { id: 'tcp' },
  });
  assert.throws(() => long({ one: clip, two: { ...clip, pauses: [{ from: '1s' }] } }), {
    message: /applications\.two: pauses\.0\.to is missing/,
  });
  assert.throws(() => long({ one: clip, two: { ...clip, pauses: [{ from: '1s', until: '2s' }] } }), {
    message: /applications\.two: pauses\.0/,
  });
});

test('a subject that pauses is refused, and so is a study in which all pause', () => {
  const paused = { ...clip, pauses: [{ from: '1s', to: '2s' }] };
  assert.throws(() => long({ one: paused, two: clip }, { subject: 'one' }), {
    message: /subject: "one" is not in use for the whole window/,
    hint: /choose among two/,
  });
  assert.throws(() => long({ one: paused, two: paused }), {
    message: /subject: no application is in use for the whole window/,
    hint: /leave out the start, stop and pauses of one/,
  });
});
