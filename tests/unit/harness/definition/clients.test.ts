import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ExperimentDefinition } from '../../../../harness/definition/define.ts';
import { makePlan, type Plan } from '../../../../harness/definition/plan.ts';
import { GridPlanner } from '../../../../harness/studies/planner/grid.ts';
import { loadRegistries } from '../../../../harness/trial/registries.ts';
import { definition } from '../support/plan.ts';

const registries = await loadRegistries();
const { service: _, flood: __, ...rest } = definition;
const planOf = (change: object, services = registries.services): Plan =>
  makePlan('study', { ...rest, ...change } as ExperimentDefinition, { ...registries, services });
const download = (clients?: number) => ({ service: { id: 'download', ...(clients === undefined ? {} : { clients }) } });

test('a plan names the number of clients only where there are several', () => {
  const { applications } = planOf({ applications: { one: download(), three: download(3) } }).conditions[0]!;
  assert.deepEqual(
    applications.map(({ name, clients }) => [name, clients]),
    [
      ['one', undefined],
      ['three', 3],
    ],
  );
  assert.ok(!('clients' in applications[0]!));
});

test('each further client has a pair of hosts behind those that applications keep', () => {
  const plan = planOf({
    applications: { one: download(), three: download(3) },
    conditions: {
      both: {},
      alone: { applications: { three: null } },
      five: { applications: { one: download(2), three: download(5) } },
    },
    baseline: 'alone',
  });
  const planner = new GridPlanner(plan, plan.trials);
  assert.equal(planner.places, 2 + 5);
  const places = Array.from({ length: 3 }, () => planner.next()!).map(one => [one.places, one.furtherPlaces]);
  assert.deepEqual(places, [
    [
      [0, 1],
      [[], [2, 3]],
    ],
    [[0], undefined],
    [
      [0, 1],
      [[2], [3, 4, 5, 6]],
    ],
  ]);
});

test('a number of clients that cannot be is refused in one line', () => {
  const refused = (change: object, message: RegExp) =>
    assert.throws(() => planOf(change), { code: 'bad-definition', message });
  refused(download(9), /^service: clients: 9 is out of range; it must be at most 8$/);
  refused({ service: { id: 'live-clip', clients: 2 } }, /^service: unknown key "clients"/);
  refused(
    { applications: { many: { ...download(8), count: 9 } } },
    /^the applications have 72 clients, more than a trial takes \(64\)$/,
  );
  const call = registries.services.get('live-clip')!;
  const meeting = {
    ...call,
    bound: (params: unknown) => Object.defineProperty(call.bound(params), 'clients', { value: 4 }),
  };
  assert.throws(
    () =>
      planOf(
        { service: { id: 'live-clip' }, tunnel: { id: 'quic' } },
        new Map([...registries.services, ['live-clip', meeting]]),
      ),
    { code: 'bad-definition', message: 'tunnel: a tunnel leads to one client, and the service has 4' },
  );
});
