import assert from 'node:assert/strict';
import { test } from 'node:test';
import { absoluteSendTime, playoutDelay, transportSequence } from '../../../../server/rtp/header-extensions.ts';

test('absolute send time is 6.18 fixed-point seconds', () => {
  assert.equal(absoluteSendTime(0).toString('hex'), '000000');
  assert.equal(absoluteSendTime(1500).toString('hex'), '060000'); // 1.5 x 2^18
  assert.equal(absoluteSendTime(63_999.999).toString('hex'), 'ffffff');
  assert.equal(absoluteSendTime(64_000 + 250).toString('hex'), '010000'); // 64 s is 0 again
});

test('absolute send time of today', () => {
  const unixMs = Date.UTC(2026, 7, 1, 12, 0, 0) + 125; // 1 785 585 600 s = 27 899 775 x 64 s
  assert.equal(1_785_585_600 % 64, 0);
  assert.equal(absoluteSendTime(unixMs).readUIntBE(0, 3), 2 ** 18 / 8);
});

test('the transport-wide sequence number wraps at 16 bits', () => {
  assert.equal(transportSequence(0xabcd).toString('hex'), 'abcd');
  assert.equal(transportSequence(65536 + 7).toString('hex'), '0007');
});

test('playout delay is two times 12 bits in steps of 10 ms', () => {
  assert.equal(playoutDelay(0, 0).toString('hex'), '000000');
  assert.equal(playoutDelay(40, 2560).toString('hex'), '004100'); // 4, 256
  assert.equal(playoutDelay(40_950, 40_950).toString('hex'), 'ffffff');
});
