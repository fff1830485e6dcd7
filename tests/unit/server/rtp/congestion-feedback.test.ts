import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCongestionFeedback } from '../../../../server/rtp/congestion-feedback.ts';

/** Text: streams of SSRC, first sequence number, number of packets and their blocks; then the timestamp. */
const read = (text: string) => readCongestionFeedback(Buffer.from(text.replaceAll(' ', ''), 'hex'));
const timestamp = '00010000';

/** Returns the packets of a message with one stream as offset and ECN; x for a packet that has not arrived. */
function packets(text: string): string {
  const feedback = read(`${text} ${timestamp}`);
  assert.ok(feedback !== undefined && feedback.streams.length === 1, 'refused');
  return feedback.streams[0]!.packets.map(
    ({ sequence, arrival }) => `${sequence}:${arrival === null ? 'x' : `${arrival.offset} ${arrival.ecn}`}`,
  ).join(', ');
}

test('a block is arrived, ECN and offset', () => {
  assert.equal(packets('aabbccdd 000a 0004 8000 a200 c201 ffe7'), '10:0 not-ect, 11:512 ect1, 12:513 ect0, 13:8167 ce');
});

test('what has not arrived has neither, whatever its bits say', () => {
  assert.equal(packets('aabbccdd 0000 0002 0000 7fff'), '0:x, 1:x');
});

test('the two largest offsets are words', () => {
  assert.equal(
    packets('aabbccdd 0000 0004 9ffd 9ffe 9fff fffe'),
    '0:8189 not-ect, 1:earlier not-ect, 2:unknown not-ect, 3:earlier ce',
  );
});

test('sequence numbers wrap', () => {
  assert.equal(
    packets('aabbccdd fffe 0004 8000 8001 8002 8003'),
    '65534:0 not-ect, 65535:1 not-ect, 0:2 not-ect, 1:3 not-ect',
  );
});

test('an odd number of blocks is padded, with zeros or not', () => {
  assert.equal(packets('aabbccdd 0000 0001 8001 0000'), '0:1 not-ect');
  assert.equal(packets('aabbccdd 0000 0003 8001 8002 8003 ffff'), '0:1 not-ect, 1:2 not-ect, 2:3 not-ect');
});

test('several streams, empty ones among them; no stream at all', () => {
  assert.deepEqual(read(`00000001 0005 0000 00000002 0001 0001 8001 0000 ${timestamp}`), {
    streams: [
      { ssrc: 1, packets: [] },
      { ssrc: 2, packets: [{ sequence: 1, arrival: { offset: 1, ecn: 'not-ect' } }] },
    ],
    timestamp: 65_536,
  });
  assert.deepEqual(read(timestamp), { streams: [], timestamp: 65_536 });
});

test('a quarter of the sequence numbers passes, one more does not', () => {
  const feedback = read(`00000001 0000 4000 ${'8000'.repeat(16_384)} ${timestamp}`);
  assert.equal(feedback?.streams[0]?.packets.length, 16_384);
  assert.equal(read(`00000001 0000 4001 ${'8000'.repeat(16_386)} ${timestamp}`), undefined);
});

test('what is not whole is refused', () => {
  const whole = `00000001 0000 0003 8001 8002 8003 0000 ${timestamp}`.replaceAll(' ', '');
  assert.ok(read(whole) !== undefined);
  for (let length = 0; length < whole.length; length += 2) {
    // any four bytes would be a complete report without streams, so the prefix of that length is valid
    assert.equal(read(whole.slice(0, length)) !== undefined, length === 8, `${length / 2} bytes`);
  }
  assert.equal(read(`00000001 0000 0002 8001 8002`), undefined, 'no timestamp');
  assert.equal(read(`00000001 0000 ffff 8001 8002 ${timestamp}`), undefined, 'more blocks than bytes');
  assert.equal(read(`00000001 0000 0002 8001 8002 0000 ${timestamp}`), undefined, 'half a word more');
  assert.equal(read(`00000001 0000 0002 8001 8002 00000002 ${timestamp}`), undefined, 'half a stream');
});
