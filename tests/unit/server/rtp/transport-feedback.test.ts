import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTransportFeedback } from '../../../../server/rtp/transport-feedback.ts';

/** Text: base, count, reference time (24 bits), message count; then chunks and deltas. */
const read = (text: string) => readTransportFeedback(Buffer.from(text.replaceAll(' ', ''), 'hex'));
const header = (base: string, count: string) => `${base} ${count} 000001 07`;
const t0 = 64_000; // reference 1

/** Returns arrivals as multiples of 250 us after the reference; x for missing. */
function arrivals(text: string): string {
  const feedback = read(text);
  assert.ok(feedback !== undefined, 'refused');
  return feedback.packets.map(({ receivedUs }) => (receivedUs === null ? 'x' : (receivedUs - t0) / 250)).join(' ');
}

test('a run of small deltas: each is added to the one before', () => {
  // run length chunk 0 01 0000000000011 = 0x2003
  assert.deepEqual(read(`${header('0064', '0003')} 2003 04 00 ff`), {
    count: 7,
    packets: [
      { sequence: 100, receivedUs: t0 + 1000 },
      { sequence: 101, receivedUs: t0 + 1000 },
      { sequence: 102, receivedUs: t0 + 1000 + 255 * 250 },
    ],
  });
});

test('a run of missing packets needs no deltas', () => {
  assert.equal(arrivals(`${header('0000', '0004')} 0004`), 'x x x x');
});

test('a run of large deltas has a sign', () => {
  // 0 10 0000000000011 = 0x4003; 0x0100 = 256, 0xffff = -1, 0x8000 = -32768
  assert.equal(arrivals(`${header('0000', '0003')} 4003 0100 ffff 8000`), '256 255 -32513');
});

test('a one-bit vector: 14 packets, the highest bit first', () => {
  // 1 0 10000000000001 = 0xa001
  assert.equal(arrivals(`${header('0000', '000e')} a001 02 03`), '2 x x x x x x x x x x x x 5');
});

test('a two-bit vector: 7 packets', () => {
  // 1 1 01 10 00 01 00 00 10 = 0xd842: 1101 1000 0100 0010 -> small, large, missing, small, missing, missing, large
  assert.equal(arrivals(`${header('0000', '0007')} d842 01 fffd 05 012c`), '1 -2 x 3 x x 303');
});

test('what a last vector says beyond the count is not looked at', () => {
  assert.equal(arrivals(`${header('0000', '0002')} bfff 01 01`), '1 2'); // fourteen ones, two counted
  assert.equal(arrivals(`${header('0000', '0001')} dfff 01`), '1'); // a small delta, then six times the reserved symbol
  assert.equal(arrivals(`${header('0000', '0002')} 3fff 01 01`), '1 2'); // a run of 8191
  assert.equal(arrivals(`${header('0000', '0003')} 0002 3fff 01`), 'x x 1'); // a run of 8191 after a run of 2
});

test('chunks follow one another', () => {
  // run of 2 missing, one-bit vector of 14 (bits 0 and 13 set), run of 1 large
  assert.equal(arrivals(`${header('0000', '0011')} 0002 a001 4001 04 01 fff0`), 'x x 4 x x x x x x x x x x x x 5 -11');
});

test('sequence numbers wrap', () => {
  assert.deepEqual(
    read(`${header('fffe', '0004')} 2004 00 00 00 00`)!.packets.map(({ sequence }) => sequence),
    [65534, 65535, 0, 1],
  );
});

test('the reference time is signed, in steps of 64 ms', () => {
  const at = (reference: string) => read(`0000 0001 ${reference} 00 2001 01`)!.packets[0]!.receivedUs;
  assert.equal(at('000000'), 250);
  assert.equal(at('7fffff'), (2 ** 23 - 1) * 64_000 + 250);
  assert.equal(at('800000'), -(2 ** 23) * 64_000 + 250);
  assert.equal(at('ffffff'), -64_000 + 250);
});

test('the message count is 8 bits', () => {
  assert.equal(read('0000 0001 000000 ff 0001')!.count, 255);
});

test('no packets', () => {
  assert.deepEqual(read(header('0000', '0000')), { count: 7, packets: [] });
});

test('zero padding after the deltas is no part of it', () => {
  assert.equal(arrivals(`${header('0000', '0001')} 2001 08 00 00 03`), '8');
});

test('a run of no packets would never end', () => {
  assert.equal(read(`${header('0000', '0001')} 2000 01`), undefined);
  assert.equal(read(`${header('0000', '0003')} 2001 0000 2002 01 01 01`), undefined);
});

test('the reserved symbol is refused in runs and in vectors', () => {
  assert.equal(read(`${header('0000', '0001')} 6001 0000`), undefined);
  assert.equal(read(`${header('0000', '0007')} f000 00000000`), undefined); // the reserved symbol first
});

test('every cut is refused', () => {
  const whole = Buffer.from(`${header('0000', '0011')} 0002 a001 4001 04 01 fff0`.replaceAll(' ', ''), 'hex');
  assert.ok(readTransportFeedback(whole) !== undefined);
  for (let length = 0; length < whole.length; length++)
    assert.equal(readTransportFeedback(whole.subarray(0, length)), undefined, `${length} bytes`);
});

test('the largest message: 65535 packets', () => {
  // eight runs of 8191 and one of 7 are 65535; all missing
  const feedback = read(`${header('0000', 'ffff')} ${'1fff'.repeat(8)} 0007`);
  assert.equal(feedback!.packets.length, 65535);
  assert.ok(feedback!.packets.every(({ receivedUs }) => receivedUs === null));
});
