import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ExperimentDefinition } from '../../../../harness/definition/define.ts';
import { makePlan } from '../../../../harness/definition/plan.ts';
import { withAssignments } from '../../../../harness/definition/set.ts';
import { definition, planOf, registries } from '../support/plan.ts';

const { service: _, flood: __, ...rest } = definition;
const long = (applications: object) =>
  makePlan('study', { ...rest, applications } as ExperimentDefinition, registries).conditions[0]!.applications;
const tunnelsOf = (plan: ReturnType<typeof planOf>) =>
  plan.conditions.map(({ applications }) => applications.map(({ tunnel }) => tunnel?.params));

test('an application has none unless one is written; the short form gives it to the service', () => {
  assert.deepEqual(tunnelsOf(planOf()), [[undefined, undefined]]);
  assert.deepEqual(tunnelsOf(planOf({ tunnel: { id: 'pipe', mode: 'wide' } })), [[{ mode: 'wide' }, undefined]]);
  assert.deepEqual(tunnelsOf(planOf({ tunnel: { id: 'none' } })), [[undefined, undefined]]);
  assert.ok(!('tunnel' in planOf().conditions[0]!.applications[0]!), 'plans without one are what they were');
  const [call, other] = long({
    call: { service: { id: 'clip' }, tunnel: { id: 'pipe' } },
    other: { service: { id: 'clip' } },
  });
  assert.deepEqual(call!.tunnel, { id: 'pipe', title: 'the pipe', params: { mode: 'thin' } });
  assert.equal(other!.tunnel, undefined);
});

test('conditions, vary and --set reach it', () => {
  const plan = planOf({
    conditions: {
      plain: {},
      thin: { tunnel: { id: 'pipe' } },
      wide: { tunnel: { id: 'pipe', mode: 'wide' } },
    },
  });
  assert.deepEqual(
    plan.conditions.map(({ id, applications: [first] }) => [id, first!.tunnel?.params]),
    [
      ['plain', undefined],
      ['thin', { mode: 'thin' }],
      ['wide', { mode: 'wide' }],
    ],
  );
  const varied = planOf({ tunnel: { id: 'pipe' }, vary: { 'tunnel.mode': ['thin', 'wide'] } });
  assert.deepEqual(
    varied.conditions.map(({ id }) => id),
    ['mode-thin', 'mode-wide'],
  );
  const set = withAssignments(definition, ['tunnel.id=pipe', 'tunnel.mode=wide']);
  assert.deepEqual(set.tunnel, { id: 'pipe', mode: 'wide' });
  assert.deepEqual(withAssignments(definition, ['tunnel={"id":"pipe"}']).tunnel, { id: 'pipe' });
});

test('what is wrong is told in one line', () => {
  const refused = (change: object, message: RegExp) =>
    assert.throws(() => planOf(change as never), { code: 'bad-definition', message });
  refused({ tunnel: { id: 'pip' } }, /^there is no tunnel named "pip"; did you mean "pipe"\?$/);
  refused({ tunnel: { id: 'pipe', mode: 'fast' } }, /^tunnel: mode: "fast" is not one of thin, wide$/);
  refused({ tunnel: { id: 'pipe', mod: 'thin' } }, /^tunnel: unknown key "mod"; did you mean "mode"\?/);
  refused({ tunnel: { mode: 'thin' } }, /tunnel/);
  refused(
    { service: { id: 'page' }, tunnel: { id: 'pipe' } },
    /^tunnel: the service page is not one that a tunnel can carry$/,
  );
  assert.throws(() => long({ call: { service: { id: 'tcp' }, tunnel: { id: 'pipe' } } }), {
    message: /^applications\.call\.tunnel: the service tcp is not one/,
    hint: /: clip$/,
  });
  assert.throws(
    () =>
      makePlan(
        'study',
        { ...rest, applications: { call: { service: { id: 'clip' } } }, tunnel: { id: 'pipe' } } as never,
        registries,
      ),
    { message: /"tunnel" cannot be combined with "applications"/ },
  );
});
