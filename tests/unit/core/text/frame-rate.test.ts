import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check, frameRate, object } from '../../../../core/schema/schema.ts';
import { formatFrameRate, frameRateFraction, parseFrameRate } from '../../../../core/text/frame-rate.ts';

test('rates of film and television are what their names stand for', () => {
  for (const [names, num] of [
    [['23.976', '23.98', '24000/1001'], 24_000],
    [['29.97', '30000/1001', '29.97 fps'], 30_000],
    [['59.94', '60000/1001'], 60_000],
  ] as const)
    for (const name of names) {
      assert.equal(parseFrameRate(name), num / 1001, name);
      assert.deepEqual(frameRateFraction(parseFrameRate(name)!), { num, den: 1001 });
    }
  assert.equal(formatFrameRate(30_000 / 1001), '29.97');
  assert.equal(formatFrameRate(24_000 / 1001), '23.976');
});

test('other rates are as they are written', () => {
  assert.deepEqual([parseFrameRate('30'), parseFrameRate('12.5'), parseFrameRate('25/2')], [30, 12.5, 12.5]);
  assert.deepEqual(frameRateFraction(30), { num: 30, den: 1 });
  assert.deepEqual(frameRateFraction(12.5), { num: 12_500, den: 1000 });
  for (const text of ['', '0', '30/0', '-30', '1/2/3', 'thirty', '1e3', '30Hz'])
    assert.equal(parseFrameRate(text), undefined, text);
});

test('a definition has it as a number or as text, within a range', () => {
  const schema = object({ frameRate: frameRate({ min: 5, max: 120 }).default(60) });
  const read = (given: object) => check(schema, given, 'service').frameRate;
  assert.deepEqual([read({}), read({ frameRate: 30 }), read({ frameRate: '30' })], [60, 30, 30]);
  assert.equal(read({ frameRate: 29.97 }), 30_000 / 1001);
  assert.equal(read({ frameRate: '30000/1001' }), 30_000 / 1001);
  for (const [given, says] of [
    [121, /frameRate: "121" is out of range; it must be at most 120/],
    ['4.9', /frameRate: "4.9" is out of range; it must be at least 5/],
    ['fast', /frameRate: "fast" is not a frame rate; write it like "29.97"/],
    [true, /is not a frame rate/],
    [null, /is not a frame rate/],
  ] as const)
    assert.throws(() => read({ frameRate: given }), { code: 'bad-definition', message: says });
});
