import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  overlay,
  parseAssignment,
  parseSetValue,
  withAssignments,
  withValue,
} from '../../../../harness/definition/set.ts';
import { definition } from '../support/plan.ts';

const study = { ...definition, conditions: { baseline: { flood: { id: 'none' } }, lossy: { title: 'Lossy' } } };
const refused = (path: string, message: RegExp) =>
  assert.throws(() => withValue(study, path, 'x'), { code: 'bad-definition', message });

test('what follows "=" is a number, a truth value, a list or text', () => {
  assert.deepEqual(['5', '-0.5', 'true', 'null', '[1, "a"]', '{"id":"none"}'].map(parseSetValue), [
    5,
    -0.5,
    true,
    null,
    [1, 'a'],
    { id: 'none' },
  ]);
  for (const text of ['40mbit', '2%', '1e3', '[broken', '', '0x10', '5 apples'])
    assert.equal(parseSetValue(text), text);
});

test('an assignment splits at its first "="', () => {
  assert.deepEqual(parseAssignment('link.rate = 20mbit'), { path: 'link.rate', value: '20mbit' });
  assert.deepEqual(parseAssignment('title=a=b'), { path: 'title', value: 'a=b' });
  for (const text of ['link.rate', '=5', ''])
    assert.throws(() => parseAssignment(text), { code: 'usage', message: /no value/ });
});

test('a value is set in a copy', () => {
  const changed = withValue(study, 'link.queue.limit', '300ms');
  assert.equal(changed.link.queue?.limit, '300ms');
  assert.equal(study.link.queue?.limit, '1000packets');
});

test('one list of what varies is set by its path, which is one key', () => {
  const varied = { ...study, vary: { 'link.rtt': ['0ms', '2ms', '20ms'], 'link.loss': ['0%', '1%'] } };
  assert.deepEqual(withValue(varied, 'vary.link.rtt', ['2ms']).vary, {
    'link.rtt': ['2ms'],
    'link.loss': ['0%', '1%'],
  });
  assert.deepEqual(withValue(study, 'vary.link.rtt', ['2ms']).vary, { 'link.rtt': ['2ms'] });
});

test('a study that requires nothing can be made to', () => {
  const require = [{ metric: 'stall-time', atMost: '0s' as const }];
  assert.deepEqual(withValue(study, 'require', require).require, require);
  refused('requre', /there is no "requre" in this study/);
});

test('a last key that is not there yet is left to the schemas', () => {
  assert.deepEqual(withValue(study, 'link.loss', '2%').link, { ...study.link, loss: '2%' });
  assert.deepEqual(withValue(study, 'run.window', '5s').run, { window: '5s' });
  assert.deepEqual(withValue(study, 'measure.stall', '80ms').measure, { stall: '80ms' });
  assert.deepEqual(withValue(study, 'service.controller.id', 'gcc').service, {
    ...study.service,
    controller: { id: 'gcc' },
  });
});

test('inside a condition everything may be new', () => {
  assert.deepEqual(withValue(study, 'conditions.lossy.link.loss', '2%').conditions.lossy, {
    title: 'Lossy',
    link: { loss: '2%' },
  });
  assert.deepEqual(withValue(study, 'conditions.lossy.link.queue.limit', '1MB').conditions.lossy, {
    title: 'Lossy',
    link: { queue: { limit: '1MB' } },
  });
});

test('a misspelt path is refused with the word that was meant', () => {
  refused('lnk.rate', /--set lnk\.rate: there is no "lnk" in this study; did you mean "link"\?/);
  refused('link.quee.limit', /there is no "link\.quee" in this study; did you mean "queue"\?/);
  refused('conditions.losy.link.loss', /there is no "conditions\.losy" in this study; did you mean "lossy"\?/);
  refused('conditions.losy', /did you mean "lossy"\?/);
  refused('titel', /there is no "titel"/);
  refused('title.short', /there is no "title"/);
  assert.throws(() => withValue(definition, 'conditions.a.title', 'x'), /there is no "conditions"/);
  assert.throws(() => withValue(study, 'lnk.rate', 'x', 'vary'), /^CoexistError: vary lnk\.rate: there is no "lnk"/);
});

test('a path into a list is told to give the list as a whole', () => {
  const require = [{ metric: 'frame-rate', atLeast: '25fps' as const }];
  const varied = { ...study, require, vary: { 'link.rtt': ['0ms', '2ms'] } };
  const message = '--set require.0.atLeast: "require" is a list, and a path cannot reach into a list';
  const hint = "give the whole list as JSON, --set 'require=[...]', or change it in the file of the study";
  assert.throws(() => withAssignments(varied, ['require.0.atLeast=27']), { code: 'bad-definition', message, hint });
  assert.throws(() => withValue(varied, 'require.0', {}), { code: 'bad-definition', hint });
  assert.deepEqual(withAssignments(varied, ['require=[]']).require, []);
});

test('a path never leaves the definition', () => {
  refused('__proto__.polluted', /there is no "__proto__"/);
  refused('link.__proto__.polluted', /there is no "link\.__proto__"/);
  refused('service.__proto__.polluted', /there is no/);
  refused('constructor.prototype.polluted', /there is no "constructor"/);
  refused('toString', /there is no "toString"/);
  assert.equal(({} as { polluted?: unknown }).polluted, undefined);
});

test('objects are laid over each other key by key, everything else is replaced', () => {
  assert.deepEqual(overlay({ rate: '1mbit', queue: { limit: '5packets' } }, { loss: '2%', queue: { limit: '1MB' } }), {
    rate: '1mbit',
    loss: '2%',
    queue: { limit: '1MB' },
  });
  assert.deepEqual(overlay({ list: [1, 2] }, { list: [3] }), { list: [3] });
  assert.deepEqual(overlay({ a: { b: 1 } }, { a: null }), { a: null });
});

test("another id is another plug-in: the old one's parameters go", () => {
  assert.deepEqual(overlay({ id: 'tcp', flows: 5 }, { id: 'none' }), { id: 'none' });
  assert.deepEqual(overlay({ id: 'tcp', flows: 5 }, { id: 'tcp', control: 'reno' }), {
    id: 'tcp',
    flows: 5,
    control: 'reno',
  });
  assert.deepEqual(overlay({ id: 'tcp', flows: 5 }, { flows: 1 }), { id: 'tcp', flows: 1 });
  assert.deepEqual(overlay({ controller: { id: 'a', gain: 2 } }, { controller: { id: 'b' } }), {
    controller: { id: 'b' },
  });
});

test('laying over changes neither part', () => {
  const base = { link: { rate: '1mbit' } };
  const change = { link: { loss: '1%' } };
  overlay(base, change);
  assert.deepEqual([base, change], [{ link: { rate: '1mbit' } }, { link: { loss: '1%' } }]);
});

test('a bare id of a controller or an AQM can be set, and its parameters after it', () => {
  const study = { service: { id: 'clip', controller: 'gcc' }, link: { queue: { limit: '50ms', aqm: 'codel' } } };
  assert.deepEqual(
    withAssignments(study, [
      'service.controller=copa',
      'service.controller.delta=0.4',
      'link.queue.aqm.target=5ms',
    ]) as object,
    {
      service: { id: 'clip', controller: { id: 'copa', delta: 0.4 } },
      link: { queue: { limit: '50ms', aqm: { id: 'codel', target: '5ms' } } },
    },
  );
});

test('a change that would replace an earlier one is refused, and says in which order both hold', () => {
  const definition = { service: { id: 'live-clip', controller: { id: 'gcc' } as object | string } };
  const [parameter, controller] = ['service.controller.delayLimit=30ms', 'service.controller=mine'];
  assert.throws(
    () => withAssignments(definition, [parameter, controller]),
    /--set service\.controller replaces what --set service\.controller\.delayLimit has set/,
  );
  assert.deepEqual(withAssignments(definition, [controller, parameter]).service.controller, {
    id: 'mine',
    delayLimit: '30ms',
  });
});
