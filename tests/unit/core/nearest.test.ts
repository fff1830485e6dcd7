import assert from 'node:assert/strict';
import { test } from 'node:test';
import { editDistance, nearest, meantBy, unknownName } from '../../../core/nearest.ts';

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

test('an unknown name is told with the one that was meant and those that are known', () => {
  const line = (name: string, more?: string) =>
    unknownName('usage', `there is no fruit "${name}"`, name, ['apple', 'pear'], more).line;
  assert.equal(line('aple'), 'there is no fruit "aple"; did you mean "apple"?\n  -> known: apple, pear');
  assert.equal(line('sandwich', '; or grow one'), 'there is no fruit "sandwich"\n  -> known: apple, pear; or grow one');
});
