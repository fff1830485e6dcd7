import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type RtcpMessage, readRtcp } from '../../../../server/rtp/rtcp-reader.ts';

const bytes = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');
const read = (...packets: string[]) => readRtcp(bytes(packets.join('')));

/** Returns the only message of a complete packet. */
function only(packet: string): RtcpMessage {
  const { messages, malformed } = read(packet);
  assert.equal(malformed, undefined);
  assert.equal(messages.length, 1);
  return messages[0]!;
}

// sender 1; source 0xaabbccdd: 64/256 lost, 0x000102 in all, highest 0x0001ffff, jitter 9, LSR 0xb710 8000, DLSR
// 0x00054000
const block = 'aabbccdd 40 000102 0001ffff 00000009 b7108000 00054000';
const receiverReport = `81c90007 00000001 ${block}`;
const blockRead = {
  ssrc: 0xaabbccdd,
  fractionLost: 0.25,
  cumulativeLost: 258,
  highestSequence: 0x1ffff,
  jitter: 9,
  lastSenderReport: 0xb7108000,
  delaySinceLastSenderReport: 0x54000,
};
const pictureLoss = '81ce0002 00000001 aabbccdd';
const fullIntraRequest = '84ce0004 00000001 00000000 aabbccdd 05000000';
const nack = '81cd0003 00000001 aabbccdd 0010 0000';

test('receiver reports', () => {
  assert.deepEqual(only(receiverReport), { kind: 'report', senderSsrc: 1, blocks: [blockRead] });
  assert.deepEqual(only('80c90001 00000001'), { kind: 'report', senderSsrc: 1, blocks: [] });
  const two = only(`82c9000d 00000001 ${block} ${block}`);
  assert.equal(two.kind === 'report' && two.blocks.length, 2);
});

test('sender reports: the blocks come after the 20 bytes of sender information', () => {
  assert.deepEqual(only(`81c8000c 00000001 ${'00'.repeat(20)} ${block}`), {
    kind: 'report',
    senderSsrc: 1,
    blocks: [blockRead],
  });
});

test('duplicates make the cumulative loss negative', () => {
  const report = only('81c90007 00000001 aabbccdd 00 fffffe 00000000 00000000 00000000 00000000');
  assert.equal(report.kind === 'report' && report.blocks[0]!.cumulativeLost, -2);
});

test('words that follow the blocks (profile-specific extensions) are left alone', () => {
  assert.deepEqual(only(`81c90008 00000001 ${block} 12345678`), { kind: 'report', senderSsrc: 1, blocks: [blockRead] });
});

test('a NACK names a packet and, bit by bit, the 16 after it', () => {
  assert.deepEqual(only('81cd0003 00000001 aabbccdd 0010 0000'), {
    kind: 'nack',
    mediaSsrc: 0xaabbccdd,
    sequences: [16],
  });
  // bits 0, 1 and 15 of the mask: 17, 18, 32
  assert.deepEqual(only('81cd0003 00000001 aabbccdd 0010 8003'), {
    kind: 'nack',
    mediaSsrc: 0xaabbccdd,
    sequences: [16, 17, 18, 32],
  });
  const all = only('81cd0003 00000001 aabbccdd 0010 ffff');
  assert.deepEqual(
    all.kind === 'nack' && all.sequences,
    Array.from({ length: 17 }, (_, i) => 16 + i),
  );
});

test('a NACK goes on past the wrap, and over several words', () => {
  assert.deepEqual(only('81cd0004 00000001 aabbccdd fffe 0007 0100 0001'), {
    kind: 'nack',
    mediaSsrc: 0xaabbccdd,
    sequences: [65534, 65535, 0, 1, 256, 257],
  });
});

test('PLI, FIR and BYE', () => {
  assert.deepEqual(only(pictureLoss), { kind: 'picture-loss', mediaSsrc: 0xaabbccdd });
  assert.deepEqual(only('84ce0006 00000001 00000000 aabbccdd 05000000 11223344 fe000000'), {
    kind: 'full-intra-request',
    entries: [
      { ssrc: 0xaabbccdd, command: 5 },
      { ssrc: 0x11223344, command: 254 },
    ],
  });
  assert.deepEqual(only(fullIntraRequest), { kind: 'full-intra-request', entries: [{ ssrc: 0xaabbccdd, command: 5 }] });
  assert.deepEqual(only('81cb0001 00000001'), { kind: 'bye' });
});

test('REMB is a mantissa of 18 bits and an exponent of 6', () => {
  const remb = (exponentAndMantissa: string) =>
    only(`8fce0005 00000001 00000000 52454d42 01${exponentAndMantissa} aabbccdd`);
  const told = (bitrateBps: number) => ({ kind: 'receiver-estimate', bitrateBps, mediaSsrcs: [0xaabbccdd] });
  assert.deepEqual(remb('03ffff'), told(262_143)); // 2^18 - 1, exponent 0
  assert.deepEqual(remb('040001'), told(2)); // 1 x 2^1
  assert.deepEqual(remb('1a8000'), told(0x28000 * 2 ** 6)); // 000110 10 1000...: exponent 6
  assert.deepEqual(remb('ffffff'), told(262_143 * 2 ** 63));
});

test('REMB of no stream, and of two', () => {
  assert.deepEqual(only('8fce0004 00000001 00000000 52454d42 00040001'), {
    kind: 'receiver-estimate',
    bitrateBps: 2,
    mediaSsrcs: [],
  });
  assert.deepEqual(only('8fce0006 00000001 00000000 52454d42 02040001 aabbccdd 00000007'), {
    kind: 'receiver-estimate',
    bitrateBps: 2,
    mediaSsrcs: [0xaabbccdd, 7],
  });
});

test('feedback of other formats is skipped, however short', () => {
  assert.deepEqual(
    read('82cd0002 00000001 aabbccdd', '82ce0002 00000001 aabbccdd', pictureLoss).messages.map(({ kind }) => kind),
    ['picture-loss'],
  );
  assert.deepEqual(only('81cd0002 00000001 aabbccdd'), { kind: 'nack', mediaSsrc: 0xaabbccdd, sequences: [] });
});

test('feedback for the application that is no REMB is skipped', () => {
  assert.deepEqual(
    read('8fce0003 00000001 00000000 41424344', pictureLoss).messages.map(({ kind }) => kind),
    ['picture-loss'],
  );
});

test('transport-wide feedback is decoded in place', () => {
  // base 7, 1 packet, reference 2, count 9; a run of 1 small delta; delta 4; one byte of padding
  assert.deepEqual(only('afcd0005 00000001 aabbccdd 0007 0001 000002 09 2001 04 01'), {
    kind: 'transport-feedback',
    feedback: { count: 9, packets: [{ sequence: 7, receivedUs: 2 * 64_000 + 4 * 250 }] },
  });
});

test('a compound packet gives its messages in order; kinds of no interest are skipped', () => {
  const sdes = '81ca0003 00000001 0102 6162 00000000';
  const xr = '80cf0001 00000001';
  const unknown = '80e00001 00000001';
  const { messages, malformed } = read(receiverReport, sdes, xr, unknown, nack, pictureLoss);
  assert.equal(malformed, undefined);
  assert.deepEqual(
    messages.map(({ kind }) => kind),
    ['report', 'nack', 'picture-loss'],
  );
});

test('padding is no part of the body', () => {
  // a NACK whose last word is padding: 00 00 00 04
  assert.deepEqual(only('a1cd0004 00000001 aabbccdd 0010 0000 00000004'), {
    kind: 'nack',
    mediaSsrc: 0xaabbccdd,
    sequences: [16],
  });
  assert.match(read('a1ce0002 00000001 aabbccff').malformed!, /padding/); // 255 bytes of 8
  assert.match(read('a1ce0002 00000001 aabbcc09').malformed!, /padding/); // one more than the body
  assert.match(read(pictureLoss, 'a1ce0002 00000001 aabbcc09').malformed!, /padding/);
});

test('padding that eats into what a message needs makes it malformed', () => {
  assert.match(read('a1ce0002 00000001 aabbcc01').malformed!, /body of type 206, format 1/);
});

test('nothing is an empty packet', () => {
  assert.deepEqual(readRtcp(Buffer.alloc(0)), { messages: [], malformed: undefined });
});

test('what came before the fault is kept', () => {
  const { messages, malformed } = read(pictureLoss, '01ce0002 00000001 aabbccdd', pictureLoss);
  assert.deepEqual(
    messages.map(({ kind }) => kind),
    ['picture-loss'],
  );
  assert.equal(malformed, 'version 0');
});

test('each way to be malformed', () => {
  assert.equal(read('81ce00').malformed, 'header cut short');
  assert.equal(read('41ce0002 00000001 aabbccdd').malformed, 'version 1');
  assert.equal(read('81ce0003 00000001 aabbccdd').malformed, 'length beyond the packet');
  const bodies = {
    'report without its blocks': `82c90007 00000001 ${block}`,
    'report without a sender': '80c90000',
    'sender report cut short': '80c80002 00000001 00000000',
    'feedback without sources': '81cd0001 00000001',
    'PLI without a source': '81ce0001 00000001',
    'FIR without an entry': '84ce0002 00000001 00000000',
    'FIR with half an entry': '84ce0005 00000001 00000000 aabbccdd 05000000 11223344',
    'REMB without a rate': '8fce0003 00000001 00000000 52454d42',
    'REMB with fewer streams than it says': '8fce0005 00000001 00000000 52454d42 02040001 aabbccdd',
    'REMB with more streams than it says': '8fce0006 00000001 00000000 52454d42 01040001 aabbccdd 00000007',
    'REMB whose last stream is padding': 'afce0005 00000001 00000000 52454d42 01040001 00000004',
    'NACK that ends within a word': 'a1cd0004 00000001 aabbccdd 0010 0000 00000002',
    'transport feedback without a header': '8fcd0003 00000001 aabbccdd 00070001',
  };
  for (const [name, packet] of Object.entries(bodies))
    assert.match(read(packet).malformed ?? 'accepted', /^body of type/, name);
});

test('every cut of a compound packet is read up to the cut', () => {
  const whole = bytes(receiverReport + nack + pictureLoss);
  const ends = [32, 48, 60];
  for (let length = 0; length <= whole.length; length++) {
    const { messages, malformed } = readRtcp(whole.subarray(0, length));
    assert.equal(messages.length, ends.filter(end => end <= length).length, `${length} bytes`);
    assert.equal(malformed === undefined, length === 0 || ends.includes(length), `${length} bytes`);
  }
});
