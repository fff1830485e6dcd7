import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ExperimentDefinition } from '../../../../harness/definition/define.ts';
import { makePlan, type Plan } from '../../../../harness/definition/plan.ts';
import { GridPlanner } from '../../../../harness/studies/planner/grid.ts';
import { definition, planOf, registries } from '../support/plan.ts';

const clip = { service: { id: 'clip' } };
const tcp = { service: { id: 'tcp' } };

/** Makes a plan in the long form. */
const { service: _, flood: __, ...rest } = definition;
const long = (applications: object, change: object = {}): Plan =>
  makePlan('study', { ...rest, applications, ...change } as ExperimentDefinition, registries);
const only = (plan: Plan) => plan.conditions[0]!;
const refused = (applications: object, message: RegExp, change: object = {}) =>
  assert.throws(() => long(applications, change), { code: 'bad-definition', message });

test('service and flood are two applications of those names, and the flood begins first', () => {
  const { applications, subject } = only(planOf({ run: { floodLead: '2s' } }));
  assert.deepEqual(
    applications.map(({ name, service: { id }, kind, headStartMs, startMs }) => [name, id, kind, headStartMs, startMs]),
    [
      ['service', 'clip', 'video-call', null, null],
      ['flood', 'tcp', 'baseline', 2000, null],
    ],
  );
  assert.equal(subject, 'service');
  assert.equal(only(planOf({ flood: { id: 'none' } })).applications.length, 1);
});

test('the long form names any number, each with times and a path of its own', () => {
  const {
    applications,
    link: { paths },
    subject,
  } = only(
    long(
      {
        crowd: { ...tcp, count: 3, link: { rtt: '80ms' } },
        call: clip,
        back: { ...clip, direction: 'up', start: '-5s' },
        late: { ...tcp, start: '5s', stop: '20s' },
      },
      { link: { rate: '40mbit', queue: { limit: '1000packets' }, rtt: '20ms' } },
    ),
  );
  assert.deepEqual(
    applications.map(({ name, direction, startMs, stopMs }) => [name, direction, startMs, stopMs]),
    [
      ['crowd-1', 'down', null, null],
      ['crowd-2', 'down', null, null],
      ['crowd-3', 'down', null, null],
      ['call', 'down', null, null],
      ['back', 'up', -5000, null],
      ['late', 'down', 5000, 20_000],
    ],
  );
  assert.deepEqual(
    Object.entries(paths).map(([name, { rttMs }]) => [name, rttMs]),
    [
      ['crowd-1', 80],
      ['crowd-2', 80],
      ['crowd-3', 80],
      ['call', 20],
      ['back', 20],
      ['late', 20],
    ],
  );
  assert.equal(subject, 'call', 'the first with video');
  assert.equal(only(long({ one: tcp, other: tcp })).subject, 'one');
  assert.equal(only(long({ one: tcp, call: clip }, { subject: 'one' })).subject, 'one');
});

test('a condition does without an application, or has it otherwise; --set and vary reach into it', () => {
  const { conditions } = long(
    { call: clip, flood: { ...tcp, stop: '10s' } },
    {
      conditions: {
        alone: { applications: { flood: null } },
        longer: { applications: { flood: { stop: '20s', service: { flows: 4 } } } },
      },
    },
  );
  assert.deepEqual(
    conditions.map(({ applications }) => applications.map(({ name, stopMs }) => [name, stopMs])),
    [
      [['call', null]],
      [
        ['call', null],
        ['flood', 20_000],
      ],
    ],
  );
  assert.deepEqual(conditions[1]!.applications[1]!.service.params, { flows: 4, control: 'bbr' });
  const varied = long({ call: clip, flood: tcp }, { vary: { 'applications.flood.service.flows': [1, 5] } });
  assert.deepEqual(
    varied.conditions.map(({ id }) => id),
    ['flows-1', 'flows-5'],
  );
});

test('each application keeps its hosts through the study, whatever condition comes', () => {
  const plan = long({ flood: tcp, call: clip }, { conditions: { both: {}, alone: { applications: { flood: null } } } });
  const planner = new GridPlanner(plan, plan.trials);
  assert.deepEqual([planner.next()!.places, planner.next()!.places, planner.places], [[0, 1], [1], 2]);
});

test('the short form gives the two applications paths of their own, and a study that names applications has none', () => {
  const short = planOf({
    link: {
      rate: '40mbit',
      queue: { limit: '1000packets' },
      rtt: '20ms',
      server: { rtt: '30ms' },
      flooder: { rtt: '50ms' },
    },
  });
  const rttsOf = ({ conditions: [condition] }: typeof short) =>
    Object.entries(condition!.link.paths).map(([name, { rttMs }]) => [name, rttMs]);
  assert.deepEqual(rttsOf(short), [
    ['service', 30],
    ['flood', 50],
  ]);
  const link = { rate: '40mbit', queue: { limit: '1000packets' }, rtt: '20ms' };
  const applications = { call: clip, flood: { ...tcp, link: { rtt: '50ms' } } };
  assert.deepEqual(rttsOf(long(applications, { link })), [
    ['call', 20],
    ['flood', 50],
  ]);
  for (const key of ['server', 'flooder'])
    assert.throws(() => long(applications, { link: { ...link, [key]: { rtt: '30ms' } } }), {
      message: new RegExp(`"link\\.${key}" cannot be combined with "applications"`),
      hint: /applications: \{ NAME: \{ service: \.\.\., link: \.\.\. \} \}/,
    });
});

test('what is wrong with an application is one line that names it', () => {
  refused({}, /there is no application/);
  refused({ flood: {} }, /applications\.flood: service is missing; write it like \{ id: "\.\.\." \}/);
  refused({ call: { service: { id: 'clop' } } }, /there is no service named "clop"; did you mean "clip"\?/);
  refused({ call: { ...clip, sart: '1s' } }, /applications\.call: unknown key "sart"; did you mean "start"\?/);
  refused(
    { call: { ...clip, start: '20s', stop: '10s' } },
    /applications\.call: it starts at 20 s, after its stop at 10 s/,
  );
  refused({ call: { ...clip, start: '40s' } }, /applications\.call: it starts 40 s into a window of 40 s/);
  refused({ call: { ...clip, stop: '41s' } }, /applications\.call: it stops 41 s into a window of 40 s/);
  refused({ call: { ...clip, stop: '-1s' } }, /applications\.call: stop: "-1s" is out of range/);
  refused({ call: clip, others: tcp }, /applications\.others: "others" stands for all applications but the subject/);
  refused({ Call: clip }, /applications\.Call: the name of an application has small letters, digits and single dashes/);
  refused({ 'flood-2': tcp, flood: { ...tcp, count: 2 } }, /two are called "flood-2"/);
  refused({ a: { ...tcp, count: 40 }, b: { ...tcp, count: 40 } }, /80 applications are more than a trial takes \(64\)/);
  refused({ late: { ...clip, start: '1s' }, one: tcp }, /subject: "late" is not in use for the whole window/, {
    subject: 'late',
  });
  refused({ late: { ...clip, start: '1s' } }, /subject: no application is in use for the whole window/);
  refused({ call: clip }, /subject: there is no application "cal"; did you mean "call"\?/, { subject: 'cal' });
  assert.throws(() => planOf({ applications: { call: clip } }), {
    code: 'bad-definition',
    message: /"service" cannot be combined with "applications"/,
  });
});

test('null in a condition of the short form leaves the application out, as in the long one', () => {
  const { conditions } = planOf({ conditions: { alone: { flood: null }, empty: { service: null }, both: {} } });
  assert.deepEqual(
    conditions.map(({ applications }) => applications.map(({ name }) => name)),
    [['service'], ['flood'], ['service', 'flood']],
  );
  const { conditions: same } = planOf({ conditions: { alone: { flood: null }, none: { flood: { id: 'none' } } } });
  assert.equal(same.length, 1, 'both say the same');
  assert.throws(() => planOf({ conditions: { empty: { service: null, flood: null } } }), {
    message: 'condition empty: there is no application',
  });
  assert.throws(() => planOf({ flood: null }), { message: /^study: flood: null is not an object/ });
});

test('a condition in the other form than its study is told what to write in it', () => {
  const mixed = (applications: unknown) => () => planOf({ conditions: { alone: { applications } } });
  const message = 'condition alone: "applications" cannot be combined with "service" and "flood" of the study';
  assert.throws(mixed({ flood: null }), { message, hint: 'write in the condition: "flood": null' });
  assert.throws(mixed({ flood: tcp, service: null }), {
    hint: 'write in the condition: "flood": { ... }, "service": null',
  });
  for (const other of [{ late: tcp }, {}, null, 5])
    assert.throws(mixed(other), { code: 'bad-definition', message, hint: /write the study with "applications" too/ });
  assert.throws(() => long({ call: clip, flood: tcp }, { conditions: { alone: { flood: null } } }), {
    message: 'condition alone: "flood" cannot be combined with "applications"',
    hint: 'write it as an application: applications: { flood: null }',
  });
});

test('a start among the parameters of a service is told where it belongs', () => {
  assert.throws(() => planOf({ flood: { id: 'tcp', start: '2s' } }), {
    code: 'bad-definition',
    message: 'flood: "start" is no parameter of a service; it belongs to an entry of "applications"',
    hint: `write it as applications: { flood: { service: { id: 'tcp' }, start: "2s" } }`,
  });
  assert.throws(() => long({ a: { service: { id: 'tcp', count: 2 } } }), {
    message: 'applications.a.service: "count" is no parameter of a service; it stands beside "service"',
    hint: `write it as a: { service: { id: 'tcp' }, count: 2 }`,
  });
});

test('an application may have a DSCP, which is a number of six bits', () => {
  const { applications } = only(long({ call: { ...clip, dscp: 46 }, other: tcp }));
  assert.deepEqual(
    applications.map(({ dscp }) => dscp),
    [46, undefined],
  );
  refused({ call: { ...clip, dscp: 64 } }, /dscp/);
  refused({ call: { ...clip, dscp: 'EF' } }, /dscp/);
});
