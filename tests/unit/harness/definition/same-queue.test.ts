/** A discipline named once can hold for both directions. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePlan } from '../../../../harness/definition/plan.ts';
import { withValue } from '../../../../harness/definition/set.ts';
import { loadRegistries } from '../../../../harness/trial/registries.ts';

const registries = await loadRegistries();
const study = (up: object, conditions: object = {}) => ({
  title: 'DSL',
  question: 'Which queue?',
  source: 'own',
  link: {
    rate: '6mbit',
    queue: { limit: '1s', aqm: { id: 'fq-codel', target: '10ms' }, ecn: true },
    rtt: '40ms',
    up: { rate: '1mbit', ...up },
  },
  service: { id: 'live-clip' },
  conditions,
});
type Definition = Parameters<typeof makePlan>[1];
const linksOf = (definition: object) =>
  makePlan('own', definition as Definition, registries).conditions.map(({ link }) => link);

test('the whole queue: its limit in time is one of each direction', () => {
  const [link] = linksOf(study({ queue: 'same' }));
  assert.deepEqual(link!.up!.queue, { unit: 'ms', value: 1000 });
  assert.deepEqual(link!.up!.aqm, link!.aqm);
  assert.deepEqual([link!.up!.ecn, link!.up!.aqm.id, link!.up!.rateBps], [true, 'fq-codel', 1e6]);
});

test('the discipline alone, with its parameters and its ECN, unless that is said', () => {
  const [link] = linksOf(study({ queue: { limit: '100packets', aqm: 'same' } }));
  assert.deepEqual(link!.up!.queue, { unit: 'packets', value: 100 });
  assert.deepEqual([link!.up!.aqm, link!.up!.ecn], [link!.aqm, true]);
  const [without] = linksOf(study({ queue: { limit: '100packets', aqm: 'same', ecn: false } }));
  assert.equal(without!.up!.ecn, false);
});

test('a condition, --set or vary that names it once changes both directions', () => {
  const one = study({ queue: 'same' }, { fifo: { link: { queue: { aqm: 'fifo', ecn: false } } }, codel: {} });
  assert.deepEqual(
    linksOf(one).map(({ aqm, up }) => [aqm.id, up!.aqm.id]),
    [
      ['fifo', 'fifo'],
      ['fq-codel', 'fq-codel'],
    ],
  );
  assert.equal(linksOf(withValue(study({ queue: 'same' }), 'link.queue.aqm', 'pie'))[0]!.up!.aqm.id, 'pie');
  assert.deepEqual(
    linksOf({ ...study({ queue: 'same' }), vary: { 'link.queue.aqm': ['codel', 'pie'] } }).map(({ up }) => up!.aqm.id),
    ['codel', 'pie'],
  );
});

test('nothing is taken over where it is not wanted', () => {
  const [link] = linksOf(study({ queue: { limit: '100packets' } }));
  assert.deepEqual([link!.up!.aqm.id, link!.up!.ecn], ['fifo', false]);
});

test('a plain FIFO below is a plain FIFO above', () => {
  const plain = study({ queue: { limit: '50packets', aqm: 'same' } });
  const link = linksOf({ ...plain, link: { ...plain.link, queue: { limit: '1s' } } })[0]!;
  assert.deepEqual([link.up!.aqm.id, link.up!.ecn], ['fifo', false]);
});

test('another word is refused in one line', () => {
  assert.throws(() => linksOf(study({ queue: 'equal' })), {
    code: 'bad-definition',
    message: /up\.queue: "equal" is not an object/,
  });
});
