import assert from 'node:assert/strict';
import { test } from 'node:test';
import { redPayload } from '../../../../server/rtp/red.ts';

const frame = (rtpTimestamp: number, text: string) => ({ rtpTimestamp, payload: Buffer.from(text) });

test('a frame alone has a header of one byte', () => {
  assert.deepEqual(redPayload(frame(5000, 'new'), [], 111), Buffer.from('\x6fnew', 'latin1'));
});

test('earlier frames come first, each with payload type, offset of 14 bits and length of 10 bits', () => {
  const payload = redPayload(frame(5000, 'new'), [frame(3080, 'old'), frame(4040, 'older')], 111);
  // 1920 = 0b00011110000000, 960 = 0b00001111000000; lengths 3 and 5
  assert.equal(payload.subarray(0, 9).toString('hex'), 'ef1e0003ef0f00056f');
  assert.equal(payload.subarray(9).toString(), 'oldoldernew');
});

test('the offset counts across the wrap of the timestamp', () => {
  const payload = redPayload(frame(460, 'new'), [frame(2 ** 32 - 500, 'old')], 111);
  assert.equal(payload.subarray(0, 4).toString('hex'), 'ef0f0003');
});

test('a frame that is too old or too large for its header is left out', () => {
  const large = { rtpTimestamp: 4040, payload: Buffer.alloc(1024) };
  assert.deepEqual(redPayload(frame(50_000, 'new'), [frame(33_000, 'old')], 111), redPayload(frame(0, 'new'), [], 111));
  assert.deepEqual(redPayload(frame(5000, 'new'), [large], 111), redPayload(frame(0, 'new'), [], 111));
});
