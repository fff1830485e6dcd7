import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { type RtcpMessage, readRtcp } from '../../server/rtp/rtcp-reader.ts';
import { readTransportFeedback, type TransportFeedback } from '../../server/rtp/transport-feedback.ts';
import { anyBytes, damaged } from './bytes.ts';
import { checkCongestionFeedback } from './congestion-feedback.ts';
import { effort } from './effort.ts';

const seed = 20;
const golden = (name: string) =>
  JSON.parse(readFileSync(new URL(`../golden/${name}.json`, import.meta.url), 'utf8')) as {
    messages?: { rtcp: string }[];
    packets?: { rtcp: string }[];
  };
const feedbackPackets = golden('transport-feedback').messages!.map(({ rtcp }) => Buffer.from(rtcp, 'hex'));
const congestionPackets = golden('congestion-feedback').messages!.map(({ rtcp }) =>
  Buffer.from(rtcp.replaceAll(' ', ''), 'hex'),
);
const packets = [
  ...feedbackPackets,
  ...congestionPackets,
  ...golden('receiver-rtcp').packets!.map(({ rtcp }) => Buffer.from(rtcp, 'hex')),
  ...golden('receiver-estimate').packets!.map(({ rtcp }) => Buffer.from(rtcp, 'hex')),
  ...[
    '84ce00060000000100000000aabbccdd0500000011223344fe000000',
    '81cb000100000001',
    'a1cd000400000001aabbccdd0010ffff00000004',
  ].map(hex => Buffer.from(hex, 'hex')),
];

const isNumber = (value: number, bits: number) => Number.isInteger(value) && value >= 0 && value < 2 ** bits;

function checkFeedback({ count, packets: reported }: TransportFeedback, bytes: number): void {
  assert.ok(isNumber(count, 8));
  assert.ok(
    reported.length <= 65535 && reported.length <= (8191 * bytes) / 2,
    `${reported.length} packets from ${bytes} bytes`,
  );
  assert.ok(reported.filter(({ receivedUs }) => receivedUs !== null).length <= bytes);
  for (const [i, { sequence, receivedUs }] of reported.entries()) {
    assert.equal(sequence, (reported[0]!.sequence + i) & 0xffff);
    assert.ok(receivedUs === null || (Number.isSafeInteger(receivedUs) && receivedUs % 250 === 0), `${receivedUs}`);
  }
}

function checkMessage(message: RtcpMessage, bytes: number): void {
  switch (message.kind) {
    case 'report':
      assert.ok(isNumber(message.senderSsrc, 32) && message.blocks.length <= 31);
      for (const block of message.blocks) {
        assert.ok(
          block.fractionLost >= 0 &&
            block.fractionLost < 1 &&
            Number.isInteger(block.cumulativeLost) &&
            Math.abs(block.cumulativeLost) <= 2 ** 23,
        );
        for (const value of [
          block.ssrc,
          block.highestSequence,
          block.jitter,
          block.lastSenderReport,
          block.delaySinceLastSenderReport,
        ])
          assert.ok(isNumber(value, 32));
      }
      return;
    case 'transport-feedback':
      return checkFeedback(message.feedback, bytes);
    case 'congestion-feedback':
      return checkCongestionFeedback(message.feedback, bytes);
    case 'nack':
      assert.ok(
        isNumber(message.mediaSsrc, 32) &&
          message.sequences.length <= (17 * bytes) / 4 &&
          message.sequences.every(sequence => isNumber(sequence, 16)),
      );
      return;
    case 'picture-loss':
      return assert.ok(isNumber(message.mediaSsrc, 32));
    case 'full-intra-request':
      return assert.ok(
        message.entries.length > 0 &&
          message.entries.every(({ ssrc, command }) => isNumber(ssrc, 32) && isNumber(command, 8)),
      );
    case 'receiver-estimate':
      assert.ok(Number.isFinite(message.bitrateBps) && message.bitrateBps >= 0);
      assert.ok(
        message.mediaSsrcs.length <= Math.min(255, bytes / 4) && message.mediaSsrcs.every(ssrc => isNumber(ssrc, 32)),
      );
      return;
    case 'bye':
      return;
  }
}

function checkReading(bytes: Buffer): void {
  const before = Buffer.from(bytes);
  const { messages, malformed } = readRtcp(bytes);
  assert.ok(bytes.equals(before), 'the bytes were changed');
  assert.ok(messages.length <= bytes.length / 4);
  assert.ok(malformed === undefined ? bytes.length % 4 === 0 : malformed.length > 0);
  for (const message of messages) checkMessage(message, bytes.length);
}

test('any bytes at all', () => {
  fc.assert(fc.property(anyBytes(200), checkReading), effort(seed, 3000));
});

test('any bytes behind a header that is right', () => {
  const header = fc.tuple(fc.constantFrom(200, 201, 203, 205, 206), fc.nat(31), fc.boolean(), anyBytes(120));
  fc.assert(
    fc.property(header, ([type, count, padding, body]) => {
      const whole = Buffer.concat([
        Buffer.from([0x80 | (padding ? 0x20 : 0) | count, type, 0, Math.floor(body.length / 4)]),
        body.subarray(0, 4 * Math.floor(body.length / 4)),
      ]);
      checkReading(whole);
    }),
    effort(seed, 5000),
  );
});

test('real packets, damaged', () => {
  fc.assert(fc.property(damaged(packets), checkReading), effort(seed, 5000));
});

test('a REMB of any rate and streams is read as it was written', () => {
  const remb = fc.tuple(fc.nat(2 ** 18 - 1), fc.nat(63), fc.array(fc.nat(2 ** 32 - 1), { maxLength: 255 }));
  fc.assert(
    fc.property(remb, ([mantissa, exponent, mediaSsrcs]) => {
      const bytes = Buffer.alloc(20 + 4 * mediaSsrcs.length);
      bytes.set([0x8f, 206, 0, bytes.length / 4 - 1]);
      bytes.writeUInt16BE(bytes.length / 4 - 1, 2);
      bytes.write('REMB', 12, 'latin1');
      bytes.set([mediaSsrcs.length, (exponent << 2) | (mantissa >> 16), (mantissa >> 8) & 0xff, mantissa & 0xff], 16);
      mediaSsrcs.forEach((ssrc, i) => bytes.writeUInt32BE(ssrc, 20 + 4 * i));
      assert.deepEqual(readRtcp(bytes), {
        messages: [{ kind: 'receiver-estimate', bitrateBps: mantissa * 2 ** exponent, mediaSsrcs }],
        malformed: undefined,
      });
    }),
    effort(seed, 1000),
  );
});

test('a REMB behind a header that is right: whole or refused', () => {
  fc.assert(
    fc.property(anyBytes(64), tail => {
      const whole = tail.subarray(0, 4 * Math.floor(tail.length / 4));
      const bytes = Buffer.concat([Buffer.from('8fce00000000000100000000', 'hex'), Buffer.from('REMB'), whole]);
      bytes.writeUInt16BE(bytes.length / 4 - 1, 2);
      checkReading(bytes);
      const {
        messages: [message],
        malformed,
      } = readRtcp(bytes);
      const isWhole = whole.length >= 4 && whole.length === 4 + 4 * whole[0]!;
      assert.equal(malformed, isWhole ? undefined : 'body of type 206, format 15');
      assert.equal(message?.kind, isWhole ? 'receiver-estimate' : undefined);
    }),
    effort(seed, 3000),
  );
});

test('transport feedback: any bytes', () => {
  fc.assert(
    fc.property(anyBytes(100), bytes => {
      const feedback = readTransportFeedback(bytes);
      if (feedback !== undefined) checkFeedback(feedback, bytes.length);
    }),
    effort(seed, 5000),
  );
});

test('transport feedback: real messages, damaged', () => {
  let [accepted, refused] = [0, 0];
  fc.assert(
    fc.property(damaged(feedbackPackets.map(packet => packet.subarray(12))), bytes => {
      const feedback = readTransportFeedback(bytes);
      if (feedback === undefined) refused++;
      else {
        accepted++;
        checkFeedback(feedback, bytes.length);
      }
    }),
    effort(seed, 5000),
  );
  assert.ok(accepted > 500 && refused > 500, `${accepted} accepted, ${refused} refused`);
});

/** Arrivals in units of 250 us after the last, null for missing; and how the chunks are to be chosen. */
const feedbackModel = fc.record({
  base: fc.nat(65535),
  reference: fc.integer({ min: -(2 ** 23), max: 2 ** 23 - 1 }),
  count: fc.nat(255),
  deltas: fc.array(
    fc.option(fc.oneof(fc.nat(255), fc.integer({ min: -32768, max: 32767 }), fc.constant(0)), { freq: 2 }),
    { maxLength: 120, size: 'max' },
  ),
  chunks: fc.infiniteStream(fc.constantFrom('run', 'one-bit', 'two-bit')),
});

/** Writes feedback as section 3.1 of the draft has it. */
function encode({
  base,
  reference,
  count,
  deltas,
  chunks,
}: {
  base: number;
  reference: number;
  count: number;
  deltas: (number | null)[];
  chunks: Iterator<string>;
}): Buffer {
  const symbols = deltas.map(delta => (delta === null ? 0 : delta >= 0 && delta <= 255 ? 1 : 2));
  const words: number[] = [];
  for (let i = 0; i < symbols.length; ) {
    const kind = chunks.next().value;
    const next = symbols.slice(i, i + 14);
    if (kind === 'one-bit' && next.every(symbol => symbol < 2)) {
      words.push(next.reduce((word, symbol, bit) => word | (symbol << (13 - bit)), 0x8000));
      i += 14;
    } else if (kind === 'two-bit') {
      words.push(next.slice(0, 7).reduce((word, symbol, place) => word | (symbol << (12 - 2 * place)), 0xc000));
      i += 7;
    } else {
      let run = 1;
      while (symbols[i + run] === symbols[i]) run++;
      words.push((symbols[i]! << 13) | run);
      i += run;
    }
  }
  const head = Buffer.alloc(8 + 2 * words.length);
  head.writeUInt16BE(base, 0);
  head.writeUInt16BE(deltas.length, 2);
  head.writeIntBE(reference, 4, 3);
  head.writeUInt8(count, 7);
  words.forEach((word, i) => head.writeUInt16BE(word, 8 + 2 * i));
  return Buffer.concat([
    head,
    ...deltas
      .filter(delta => delta !== null)
      .map(delta => {
        const bytes = Buffer.alloc(delta >= 0 && delta <= 255 ? 1 : 2);
        if (bytes.length === 1) bytes.writeUInt8(delta);
        else bytes.writeInt16BE(delta);
        return bytes;
      }),
  ]);
}

test('what is written is read, however the chunks are chosen; no part of it is a whole', () => {
  fc.assert(
    fc.property(feedbackModel, model => {
      const bytes = encode(model);
      let timeUs = model.reference * 64_000;
      assert.deepEqual(readTransportFeedback(bytes), {
        count: model.count,
        packets: model.deltas.map((delta, i) => ({
          sequence: (model.base + i) & 0xffff,
          receivedUs: delta === null ? null : (timeUs += delta * 250),
        })),
      });
      if (model.deltas.length > 0)
        for (let length = 0; length < bytes.length; length += 3)
          assert.equal(readTransportFeedback(bytes.subarray(0, length)), undefined);
    }),
    effort(seed, 1500),
  );
});
