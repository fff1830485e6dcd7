import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CoexistError } from '../../../../../core/errors.ts';
import { checkedAudio, checkedElement, checkedLoad } from '../../../../../harness/services/live-url/reading.ts';
import { audio } from './support/audio.ts';
import { element } from './support/element.ts';

test('what can be is taken', () => {
  assert.deepEqual(checkedElement(element), element);
  assert.equal(checkedElement(null), null);
  assert.deepEqual(checkedAudio([audio, { ...audio, stream: 'b' }]), [audio, { ...audio, stream: 'b' }]);
  assert.deepEqual(checkedAudio([]), []);
  assert.deepEqual(checkedElement({ ...element, positionS: 1.7e9 }), { ...element, positionS: 1.7e9 });
  assert.deepEqual(checkedLoad({ loadMs: 812.5, firstContentMs: null }), { loadMs: 812.5, firstContentMs: null });
});

test('what cannot be voids the trial, with what it is', () => {
  for (const [key, value] of [
    ['stalls', -1],
    ['stalls', 1.5],
    ['stalledMs', Infinity],
    ['stalledMs', NaN],
    ['positionS', '12'],
    ['presentedFrames', 1e12],
    ['width', null],
    ['more', 1],
    ['area', { valueOf: 1 }],
  ] as const) {
    assert.throws(
      () => checkedElement({ ...element, [key]: value }),
      { code: 'service-failed', message: /^the page's video element: / },
      `${key} ${value}`,
    );
  }
  for (const value of [
    null,
    {},
    [null],
    [{ ...audio, packetsReceived: -1 }],
    [{ ...audio, concealedSamples: '1' }],
    [{ ...audio, stream: 'x'.repeat(1e5) }],
    [{ ...audio, more: 1 }],
    Array.from({ length: 300 }, () => audio),
  ])
    assert.throws(() => checkedAudio(value), { code: 'service-failed', message: /^the page's audio: / });
  for (const value of [
    undefined,
    5,
    'text',
    [],
    {},
    { loadMs: -1, firstContentMs: null },
    { loadMs: 1, firstContentMs: 'x'.repeat(1e6) },
  ]) {
    assert.throws(
      () => checkedLoad(value),
      error => error instanceof CoexistError && error.code === 'service-failed' && error.message.length < 500,
    );
  }
});
