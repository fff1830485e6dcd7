import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CoexistError } from '../../../../../core/errors.ts';
import { checkedElement, checkedLoad } from '../../../../../harness/services/live-url/reading.ts';

const element = {
  area: 230_400,
  width: 1280,
  height: 720,
  positionS: 12.5,
  bufferS: 30,
  stalls: 1,
  stalledMs: 300,
  openStallMs: 0,
  presentedFrames: 300,
  droppedFrames: 2,
};

test('what can be is taken', () => {
  assert.deepEqual(checkedElement(element), element);
  assert.equal(checkedElement(null), null);
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

test('whatever a page says, it is a reading or a refusal', () => {
  fc.assert(
    fc.property(fc.anything(), value => {
      for (const read of [checkedElement, checkedLoad]) {
        try {
          const got = read(value);
          for (const number of Object.values(got ?? {})) assert.ok(number === null || Number.isFinite(number));
        } catch (error) {
          assert.ok(error instanceof CoexistError && error.code === 'service-failed', String(error));
        }
      }
    }),
  );
});
