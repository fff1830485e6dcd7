import assert from 'node:assert/strict';
import { test } from 'node:test';
import { editDistance, meantBy, nearest, unknownName } from '../../../../core/text/nearest.ts';
import { loadQuantities } from '../../../../harness/studies/metrics.ts';

test('edit distances', () => {
  assert.equal(editDistance('kitten', 'sitting'), 3);
  assert.equal(editDistance('', 'abc'), 3);
  assert.equal(editDistance('same', 'same'), 0);
});

test('the word that was meant, or none', () => {
  assert.equal(nearest('flws', ['rate', 'flows', 'loss']), 'flows');
  assert.equal(nearest('RATE', ['rate']), 'rate');
  assert.equal(nearest('xyz', ['rate', 'flows']), undefined);
  assert.equal(nearest('a', []), undefined);
});

test('what other programs call otherwise, and names with the word inside, are known', () => {
  const known = ['width', 'height', 'frameRate', 'maxBitrate', 'startBitrate', 'minBitrate', 'preset'];
  assert.deepEqual(meantBy('fps', known), ['frameRate']);
  assert.deepEqual(meantBy('FPS', ['preset']), []);
  assert.deepEqual(meantBy('resolution', known), ['width', 'height']);
  assert.deepEqual(meantBy('bitrate', known), ['maxBitrate', 'startBitrate', 'minBitrate']);
  assert.deepEqual(meantBy('heigth', known), ['height']);
  assert.deepEqual(meantBy('zzzz', known), []);
  assert.deepEqual(meantBy('constructor', known), []);
});

test('a metric is found by its words, in whatever number', async () => {
  const metrics = (await loadQuantities()).map(({ id }) => id);
  for (const [word, first] of [
    ['stalls', 'stall-time'],
    ['stall', 'stall-count'],
    ['freezes', 'freeze-time'],
    ['rtt', 'rtt-p95'],
    ['RTT', 'rtt-p95'],
    ['fps', 'frame-rate'],
    ['latencyFrame', 'latency-frames'],
    ['throughput', 'goodput'],
    ['stalltime', 'stall-time'],
    ['page loads', 'page-load'],
  ] as const) {
    const meant = meantBy(word, metrics);
    assert.equal(meant[0], first, `${word}: ${meant.join(', ')}`);
    assert.ok(meant.length <= 3);
  }
  assert.ok(meantBy('stalls', metrics).includes('stall-count'));
  assert.deepEqual(meantBy('qwertz', metrics), []);
  // a different single letter is not similar
  assert.deepEqual(meantBy('c', ['a', 'b']), []);
});

test('a long list is not printed where a name of it was meant', () => {
  const known = Array.from({ length: 50 }, (_, i) => `name-${i + 100}`);
  const hint = (name: string, listedIn?: string) =>
    unknownName('usage', 'no', name, known, listedIn === undefined ? {} : { listedIn }).hint!;
  assert.equal(hint('name-10', 'the manual'), 'known: the 50 of the manual');
  assert.match(hint('name-10'), /name-100, name-101/);
  assert.match(hint('zzz', 'the manual'), /name-100, name-101/);
});

test('an unknown name is told with the one that was meant and those that are known', () => {
  const line = (name: string, more = '') =>
    unknownName('usage', `there is no fruit "${name}"`, name, ['apple', 'pear'], { more }).line;
  assert.equal(line('aple'), 'there is no fruit "aple"; did you mean "apple"?\n  -> known: apple, pear');
  assert.equal(line('sandwich', '; or grow one'), 'there is no fruit "sandwich"\n  -> known: apple, pear; or grow one');
});
