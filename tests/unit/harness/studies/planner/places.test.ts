import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type HopSpan, plainLink, plainPath } from '../../../../../core/vocabulary/link.ts';
import type { Condition } from '../../../../../harness/definition/conditions.ts';
import { Places } from '../../../../../harness/studies/planner/places.ts';
import { application } from '../../support/record.ts';

type User = { span?: HopSpan; clients?: number };

/** Condition with these applications. */
const conditionOf = (users: Record<string, User>): Pick<Condition, 'applications' | 'link'> => ({
  applications: Object.entries(users).map(([name, { clients }]) => ({
    ...application(name, 'baseline', 'iperf', {}),
    ...(clients === undefined ? {} : { clients }),
  })),
  link: {
    ...plainLink(1e6, { unit: 'packets', value: 10 }),
    paths: Object.fromEntries(
      Object.entries(users).map(([name, { span }]) => [name, { ...plainPath, ...(span && { crosses: span }) }]),
    ),
  },
});
const [first, second] = [1, 2].map(hop => ({ from: hop, to: hop })) as [HopSpan, HopSpan];

test('an application has the same pair of hosts in all conditions, and further clients have the pairs behind', () => {
  const conditions = [conditionOf({ a: {}, b: { clients: 3 } }), conditionOf({ b: {}, c: { clients: 2 } })];
  const places = new Places(conditions);
  assert.deepEqual(places.spans, [null, null, null, null, null]);
  assert.deepEqual(
    conditions.map(condition => places.of(condition)),
    [
      { places: [0, 1], furtherPlaces: [[], [3, 4]] },
      { places: [1, 2], furtherPlaces: [[], [3]] },
    ],
  );
});

test('where an application crosses other bottlenecks, it and its clients have pairs between other routers', () => {
  const conditions = [
    conditionOf({ a: {}, b: { span: first, clients: 2 } }),
    conditionOf({ a: { span: second }, b: { span: first } }),
  ];
  const places = new Places(conditions);
  assert.deepEqual(places.spans, [null, first, second, first]);
  assert.deepEqual(
    conditions.map(condition => places.of(condition)),
    [
      { places: [0, 1], furtherPlaces: [[], [3]] },
      { places: [2, 1], furtherPlaces: [[], []] },
    ],
  );
});

test('one pair of hosts has the whole row between it, also if no application needs it', () => {
  assert.deepEqual(new Places([conditionOf({ a: { span: first }, b: { span: second } })]).spans, [first, second, null]);
});
