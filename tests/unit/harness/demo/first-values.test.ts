import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadStudy } from '../../../../harness/definition/load.ts';
import { firstValues } from '../../../../harness/demo/first-values.ts';
import { loadRegistries } from '../../../../harness/trial/registries.ts';

const registries = await loadRegistries();
const { definition } = await loadStudy('bbr-flood');
const values = (assignments: string[] = [], cores = 8) => firstValues(definition, assignments, registries, cores);
const service = (assignments: string[] = [], cores = 8) =>
  values(assignments, cores).service.params as Record<string, unknown>;

test('something to see: a slow link, CUBIC ready and still off, the stream of the flagship', () => {
  const { settings, link, lossWhere, ready } = values();
  assert.equal(ready, 'cubic');
  assert.deepEqual(settings, {
    flood: 'none',
    flows: 1,
    rateBps: 10e6,
    queue: { unit: 'packets', value: 1000 },
    lossRatio: 0,
  });
  assert.equal(link.rateBps, 10e6);
  assert.equal(lossWhere, 'before');
  assert.deepEqual([service()['width'], service()['clipStart'], service()['record']], [1280, 'clock', false]);
});

test('the demonstration plays the film, unless another clip is asked for', () => {
  assert.equal(service()['clip'], 'bigbuckbunny');
  assert.equal(service(['service.clip=high-motion'])['clip'], 'high-motion');
});

test('--set takes the paths of a definition, and a flood that is spoken of begins at once', () => {
  const { settings, lossWhere } = values([
    'link.rate=20mbit',
    'link.queue.limit=200ms',
    'link.loss={"ratio":"2%","where":"after"}',
    'flood.congestionControl=cubic',
    'flood.flows=5',
  ]);
  assert.deepEqual(settings, {
    flood: 'cubic',
    flows: 5,
    rateBps: 20e6,
    queue: { unit: 'ms', value: 200 },
    lossRatio: 0.02,
  });
  assert.equal(lossWhere, 'after');
  assert.equal(values(['flood.flows=5']).settings.flood, 'cubic');
  assert.equal(values(['flood.congestionControl=bbr3']).ready, 'bbr3');
  assert.equal(values(['flood={"id":"none"}']).settings.flood, 'none');
});

test('few cores get a smaller frame size, unless one is asked for', () => {
  const sizeOf = (cores: number) => ['width', 'height', 'frameRate'].map(name => service([], cores)[name]);
  assert.deepEqual(sizeOf(2), [480, 270, 30]);
  assert.deepEqual(sizeOf(4), [640, 360, 60]);
  assert.deepEqual(sizeOf(6), [1280, 720, 60]);
  assert.deepEqual([service(['service.width=1280', 'service.height=720'], 2)['width']], [1280]);
});

test('what the demonstration cannot show is refused with the reason', () => {
  const refused = (assignment: string, message: RegExp, code = 'usage') =>
    assert.throws(() => values([assignment]), { code, message }, assignment);
  refused('run.window=5s', /the demonstration has no "run"/);
  refused('conditions.lossy.link.loss=1%', /the demonstration has no "conditions"/);
  refused('service={"id":"chromium-call"}', /shows the live clip, not chromium-call/);
  refused('link.schedule=[{"at":"1s","rate":"5mbit"}]', /changed by hand/);
  refused('link.loss={"toBad":"1%","toGood":"30%"}', /independent; give a percentage/);
  refused('link.rate=fast', /is not a rate/, 'bad-definition');
  refused('link.rte=5mbit', /did you mean "rate"/, 'bad-definition');
});
