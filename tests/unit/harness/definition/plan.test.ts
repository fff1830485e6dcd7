import assert from 'node:assert/strict';
import { test } from 'node:test';
import { slug } from '../../../../core/text/slug.ts';
import { meanLossRatio, plainLink } from '../../../../core/vocabulary/link.ts';
import { sameLines } from '../../../../harness/definition/conditions.ts';
import { conditionOf, makePlan } from '../../../../harness/definition/plan.ts';
import { definition, planOf, registries } from '../support/plan.ts';

const conditions = {
  alone: { title: 'Alone', flood: { id: 'none' } },
  wired: {},
  lossy: { title: 'Lossy', link: { loss: '2%' } },
};
const refused = (change: { [key: string]: unknown }, message: RegExp) =>
  assert.throws(() => planOf(change), { code: 'bad-definition', message });

test('without conditions there is one: the definition itself', () => {
  const plan = planOf();
  assert.deepEqual(plan.conditions, [
    {
      id: 'all',
      title: 'All trials',
      baseline: 'all',
      link: plainLink(40e6, { unit: 'packets', value: 1000 }, ['service', 'flood']),
      subject: 'service',
      applications: [
        {
          name: 'service',
          kind: 'video-call',
          service: { id: 'clip', title: 'the clip', params: { maxBitrate: 4e6, port: 8080 } },
          direction: 'down',
          startMs: null,
          stopMs: null,
          headStartMs: null,
        },
        {
          name: 'flood',
          kind: 'baseline',
          service: { id: 'tcp', title: 'the tcp', params: { flows: 2, control: 'bbr' } },
          direction: 'down',
          startMs: null,
          stopMs: null,
          headStartMs: 0,
        },
      ],
    },
  ]);
  assert.deepEqual(
    plan.trials.map(trial => trial.id),
    ['0001-all'],
  );
  assert.deepEqual(plan.run, {
    windowMs: 40e3,
    startUpMs: 3000,
    floodLeadMs: 0,
    repeats: 1,
    retries: 2,
    parallel: 1,
    priority: true,
    preflight: true,
    queueLog: 'summary',
    pcap: false,
    seed: 1,
  });
  assert.deepEqual(plan.measure, { stallMs: null, headlineStallMs: null, smoothGapMs: null });
});

test('a condition is the definition with its change laid over it', () => {
  const plan = planOf({ conditions });
  assert.deepEqual(
    plan.conditions.map(({ id, title, baseline }) => [id, title, baseline]),
    [
      ['alone', 'Alone', 'alone'],
      ['wired', 'wired', 'alone'],
      ['lossy', 'Lossy', 'alone'],
    ],
  );
  assert.deepEqual(
    plan.conditions.map(({ applications }) => applications.map(({ service }) => service.id)),
    [['clip'], ['clip', 'tcp'], ['clip', 'tcp']],
  );
  assert.deepEqual(
    plan.conditions.map(condition => meanLossRatio(condition.link.loss)),
    [0, 0, 0.02],
  );
  assert.equal(conditionOf(plan, 'lossy').title, 'Lossy');
  assert.throws(() => conditionOf(plan, 'other'), { code: 'bad-run-folder' });
});

test('the baseline is the first condition, or the one named', () => {
  assert.deepEqual(
    planOf({ conditions, baseline: 'wired' }).conditions.map(condition => condition.baseline),
    ['wired', 'wired', 'wired'],
  );
  refused({ conditions, baseline: 'wird' }, /baseline: there is no condition "wird"/);
});

test('a condition may name a baseline of its own, which is then its own baseline', () => {
  const own = {
    a: {},
    b: { flood: { id: 'none' } },
    c: { link: { rate: '10mbit' } },
    d: { link: { rate: '10mbit' }, flood: { id: 'none' }, baseline: 'c' },
  };
  assert.deepEqual(
    planOf({ conditions: own }).conditions.map(({ id, baseline }) => [id, baseline]),
    [
      ['a', 'a'],
      ['b', 'a'],
      ['c', 'c'],
      ['d', 'c'],
    ],
  );
  refused({ conditions: { ...own, d: { baseline: 'e' } } }, /baseline: there is no condition "e"/);
});

test('every combination of what varies is a condition, the last path first', () => {
  const plan = planOf({ vary: { 'link.rate': ['10mbit', '20mbit'], 'flood.flows': [1, 5] } });
  assert.deepEqual(
    plan.conditions.map(condition => condition.id),
    ['rate-10mbit-flows-1', 'rate-10mbit-flows-5', 'rate-20mbit-flows-1', 'rate-20mbit-flows-5'],
  );
  assert.equal(plan.conditions[1]!.title, 'rate 10mbit, flows 5');
  assert.deepEqual(
    plan.conditions.map(condition => [
      condition.link.rateBps / 1e6,
      (condition.applications[1]!.service.params as { flows: number }).flows,
    ]),
    [
      [10, 1],
      [10, 5],
      [20, 1],
      [20, 5],
    ],
  );
  assert.ok(plan.conditions.every(condition => condition.baseline === condition.id));
});

test('each variation of a condition is compared with the same variation of the baseline', () => {
  const plan = planOf({ conditions, vary: { 'link.rate': ['10mbit', '20mbit'] } });
  assert.deepEqual(
    plan.conditions.map(({ id, baseline }) => [id, baseline]),
    [
      ['alone-rate-10mbit', 'alone-rate-10mbit'],
      ['wired-rate-10mbit', 'alone-rate-10mbit'],
      ['lossy-rate-10mbit', 'alone-rate-10mbit'],
      ['alone-rate-20mbit', 'alone-rate-20mbit'],
      ['wired-rate-20mbit', 'alone-rate-20mbit'],
      ['lossy-rate-20mbit', 'alone-rate-20mbit'],
    ],
  );
});

test('conditions that come out the same are run once', () => {
  // The baseline has no flood, so the number of flows does not change it.
  const plan = planOf({ conditions: { alone: conditions.alone, wired: {} }, vary: { 'flood.flows': [1, 5] } });
  assert.deepEqual(
    plan.conditions.map(({ id, baseline }) => [id, baseline]),
    [
      ['alone', 'alone'],
      ['wired-flows-1', 'alone'],
      ['wired-flows-5', 'alone'],
    ],
  );
  // A condition's own value takes precedence over one that varies.
  assert.equal(
    planOf({ conditions: { lossy: conditions.lossy }, vary: { 'link.loss': ['1%', '3%'] } }).conditions.length,
    1,
  );
});

test('a whole part may vary', () => {
  const plan = planOf({ vary: { flood: [{ id: 'none' }, { id: 'tcp', flows: 3 }] } });
  assert.deepEqual(
    plan.conditions.map(({ id, applications }) => [id, applications.length]),
    [
      ['flood-id-none', 1],
      ['flood-id-tcp-flows-3', 2],
    ],
  );
});

test('an id that varies names itself', () => {
  const plan = planOf({ flood: { id: 'none' }, vary: { 'flood.id': ['none', 'tcp'] } });
  assert.deepEqual(
    plan.conditions.map(({ id, title }) => [id, title]),
    [
      ['id-none', 'none'],
      ['id-tcp', 'tcp'],
    ],
  );
});

test('trials go round robin, and all conditions of a repeat have one seed', () => {
  const { trials } = planOf({ conditions, run: { repeats: 2, seed: 9 } });
  assert.deepEqual(
    trials.map(({ number, id, repeat }) => [number, id, repeat]),
    [
      [1, '0001-alone', 1],
      [2, '0002-wired', 1],
      [3, '0003-lossy', 1],
      [4, '0004-alone', 2],
      [5, '0005-wired', 2],
      [6, '0006-lossy', 2],
    ],
  );
  const seeds = trials.map(trial => trial.seed);
  assert.deepEqual(seeds, [seeds[0], seeds[0], seeds[0], seeds[3], seeds[3], seeds[3]]);
  assert.notEqual(seeds[0], seeds[3]);
  assert.deepEqual(
    planOf({ run: { repeats: 2, seed: 9 } }).trials.map(trial => trial.seed),
    [seeds[0], seeds[3]],
  ); // the seed does not depend on the conditions
  assert.notEqual(planOf({ run: { seed: 10 } }).trials[0]!.seed, seeds[0]);
});

test('a plan says everything again after a trip through JSON', () => {
  const plan = planOf({ conditions, vary: { 'flood.flows': [1, 2] } });
  assert.deepEqual(JSON.parse(JSON.stringify(plan)), plan);
  assert.deepEqual(makePlan('study', plan.definition, registries), plan);
});

test('variations keep the name of their condition, and others have it in their id', () => {
  const names = (vary: object) =>
    planOf({ conditions: { wired: {}, 'Lossy link': { link: { loss: '2%' } } }, vary }).conditions.map(
      ({ name }) => name,
    );
  assert.deepEqual(names({}), [undefined, 'Lossy link']);
  assert.deepEqual(names({ 'flood.flows': [1, 2] }), ['wired', 'Lossy link', 'wired', 'Lossy link']);
  assert.ok(planOf({ vary: { 'flood.flows': [1, 2] } }).conditions.every(({ name }) => name === undefined));
});

test('short names are fit for folders', () => {
  assert.equal(slug('Lossy attack (2 %)'), 'lossy-attack-2-percent');
  assert.equal(slug('1.5MB'), '1.5mb');
  assert.equal(slug('../../etc'), 'etc');
  assert.equal(slug('a/b\\c\0d'), 'a-b-c-d');
  assert.equal(slug('a.void1'), 'a-void1'); // the record uses ".void1" for void tries
});

test('every bad definition is one line that names the place', () => {
  const { title: _, ...untitled } = definition;
  assert.throws(() => makePlan('study', untitled as never, registries), {
    code: 'bad-definition',
    message: 'study: title is missing; write a text: title of the report',
  });
  refused({ title: '' }, /^study: title: must not be empty/);
  refused({ titel: 'x' }, /^study: unknown key "titel"; did you mean "title"\?/);
  refused({ link: { rate: 'fast', queue: { limit: '5packets' } } }, /^link: rate: "fast" is not a rate/);
  refused({ link: 5 }, /^study: link: /);
  refused({ service: { id: 'clp' } }, /there is no service named "clp"; did you mean "clip"\?/);
  refused({ flood: {} }, /^study: flood\.id is missing; write a text/);
  refused({ flood: { id: 'tcp', flws: 3 } }, /^flood: unknown key "flws"; did you mean "flows"\?/);
  refused({ flood: { id: 'tcp', flows: 0 } }, /^flood: flows: 0 is out of range/);
  refused({ run: { window: '1h' } }, /^study: run\.window: "1h" is not a duration/);
  refused({ run: { repeats: 0 } }, /^study: run\.repeats: 0 is out of range/);
  refused({ run: { seed: -1 } }, /^study: run\.seed: -1 is out of range/);
  refused(
    { conditions: { a: { link: { los: '2%' } } } },
    /^condition a: link: unknown key "los"; did you mean "loss"\?/,
  );
  refused({ conditions: { a: { flood: { id: 'udp' } } } }, /^condition a: there is no service named "udp"/);
  refused({ conditions: { a: { flod: {} } } }, /^conditions\.a: unknown key "flod"/);
  refused({ conditions: { a: 5 } }, /^study: conditions\.a: /);
  refused({ reference: { title: 'x', values: { a: { b: 5 } } } }, /^study: reference\.values\.a\.b: 5 is not text/);
});

test('what varies must be part of a condition, exist, and have values', () => {
  refused({ vary: { 'run.window': ['5s', '10s'] } }, /^study: vary: "run\.window" is no part of a condition/);
  refused(
    { conditions, vary: { 'conditions.lossy.link.loss': ['1%'] } },
    /vary: "conditions\.lossy\.link\.loss" is no part of a condition/,
  );
  refused({ vary: { 'lnk.rate': ['5mbit'] } }, /vary: "lnk\.rate" is no part of a condition/);
  refused(
    { vary: { 'link.queu.limit': ['5packets'] } },
    /^vary link\.queu\.limit: there is no "link\.queu" in this study; did you mean "queue"/,
  );
  refused({ vary: { 'link.que.limit': ['5packets'] } }, /link: unknown key "que" \(known: rate, bytes, queue/);
  refused({ vary: { 'flood.flws': [1] } }, /^condition flws 1: flood: unknown key "flws"/);
  refused({ vary: { 'flood.flows': [] } }, /^study: vary\.flood\.flows: /);
  refused({ vary: { 'flood.flows': [1, 'two'] } }, /^condition flows two: flood: flows: "two" is not a number/);
});

test('conditions that a folder or a reader could not tell apart are refused', () => {
  refused({ conditions: { 'a b': {}, 'a-b': { link: { loss: '1%' } } } }, /two conditions have the short name "a-b"/);
  refused(
    { conditions: { a: { title: 'Same' }, b: { title: 'Same', link: { loss: '1%' } } } },
    /two conditions have the title "Same"/,
  );
});

test('a definition is plain data', () => {
  const cyclic: { [key: string]: unknown } = { id: 'clip' };
  cyclic['self'] = cyclic;
  for (const service of [
    cyclic,
    { id: 'clip', when: new Date(0) },
    { id: 'clip', f: () => 1 },
    { id: 'clip', port: undefined },
    { id: 'clip', port: NaN },
    { id: 'clip', port: 1n },
  ]) {
    refused({ service }, /^study: the definition holds something that is not plain data/);
  }
});

test('a condition that stands for another with the same content says so', () => {
  const { conditions: made } = planOf({ conditions: { ...conditions, again: { title: 'Again' } } });
  assert.deepEqual(
    made.map(({ title, also }) => [title, also]),
    [
      ['Alone', undefined],
      ['wired', ['Again']],
      ['Lossy', undefined],
    ],
  );
  assert.deepEqual(sameLines(made), ['note: "Again" has the same link and applications as "wired": one condition']);
  // a variation that does not change a condition is no second condition
  const varied = planOf({ conditions, vary: { 'flood.flows': [1, 2] } });
  assert.deepEqual(sameLines(varied.conditions), []);
});
