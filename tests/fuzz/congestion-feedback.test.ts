import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type CongestionFeedback,
  type PacketArrival,
  readCongestionFeedback,
} from '../../server/rtp/congestion-feedback.ts';
import { SentPackets } from '../../server/transport/sent-packets.ts';
import { anyBytes, damaged } from './bytes.ts';
import { checkCongestionFeedback } from './congestion-feedback.ts';
import { effort } from './effort.ts';

const seed = 20;
const { messages } = JSON.parse(
  readFileSync(new URL('../golden/congestion-feedback.json', import.meta.url), 'utf8'),
) as { messages: { rtcp: string }[] };
/** What follows the sender's SSRC; the one with RTCP padding is not among them. */
const originals = messages
  .map(({ rtcp }) => Buffer.from(rtcp.replaceAll(' ', ''), 'hex'))
  .filter(bytes => bytes[0] === 0x8b)
  .map(bytes => bytes.subarray(8));

test('any bytes', () => {
  fc.assert(
    fc.property(anyBytes(120), bytes => {
      const before = Buffer.from(bytes);
      const feedback = readCongestionFeedback(bytes);
      assert.ok(bytes.equals(before), 'the bytes were changed');
      if (feedback !== undefined) checkCongestionFeedback(feedback, bytes.length);
    }),
    effort(seed, 5000),
  );
});

test('hand-made messages, damaged', () => {
  let [accepted, refused] = [0, 0];
  fc.assert(
    fc.property(damaged(originals), bytes => {
      const feedback = readCongestionFeedback(bytes);
      if (feedback === undefined) refused++;
      else {
        accepted++;
        checkCongestionFeedback(feedback, bytes.length);
      }
    }),
    effort(seed, 5000),
  );
  assert.ok(accepted > 500 && refused > 500, `${accepted} accepted, ${refused} refused`);
});

const arrival: fc.Arbitrary<PacketArrival | null> = fc.option(
  fc.record(
    {
      offset: fc.oneof({ weight: 8, arbitrary: fc.nat(8189) }, fc.constantFrom('earlier' as const, 'unknown' as const)),
      ecn: fc.constantFrom('not-ect' as const, 'ect1' as const, 'ect0' as const, 'ce' as const),
    },
    { noNullPrototype: true },
  ),
  { freq: 4 },
);
const model = fc.record({
  timestamp: fc.nat(2 ** 32 - 1),
  streams: fc.array(
    fc.record({
      ssrc: fc.nat(2 ** 32 - 1),
      begin: fc.nat(65_535),
      arrivals: fc.array(arrival, { maxLength: 60, size: 'max' }),
    }),
    { maxLength: 4 },
  ),
  /** What padding and the bits beside R = 0 are filled with. */
  rest: fc.nat(0x7fff),
});

const offsetBits = (offset: PacketArrival['offset']) =>
  offset === 'earlier' ? 0x1ffe : offset === 'unknown' ? 0x1fff : offset;

/** Writes feedback as the figure of section 3.1 has it. */
function encode({
  timestamp,
  streams,
  rest,
}: {
  timestamp: number;
  streams: { ssrc: number; begin: number; arrivals: (PacketArrival | null)[] }[];
  rest: number;
}): Buffer {
  const words: number[] = [];
  for (const { ssrc, begin, arrivals } of streams) {
    words.push(ssrc >>> 16, ssrc & 0xffff, begin, arrivals.length);
    for (const packet of arrivals)
      words.push(
        packet === null
          ? rest
          : 0x8000 | (['not-ect', 'ect1', 'ect0', 'ce'].indexOf(packet.ecn) << 13) | offsetBits(packet.offset),
      );
    if (arrivals.length % 2 === 1) words.push(rest);
  }
  const bytes = Buffer.alloc(2 * words.length + 4);
  words.forEach((word, i) => bytes.writeUInt16BE(word, 2 * i));
  bytes.writeUInt32BE(timestamp, 2 * words.length);
  return bytes;
}

test('what is written is read; cut anywhere, it is refused or shorter', () => {
  fc.assert(
    fc.property(model, given => {
      const bytes = encode(given);
      const expected: CongestionFeedback = {
        timestamp: given.timestamp,
        streams: given.streams.map(({ ssrc, begin, arrivals }) => ({
          ssrc,
          packets: arrivals.map((packet, i) => ({ sequence: (begin + i) & 0xffff, arrival: packet })),
        })),
      };
      assert.deepEqual(readCongestionFeedback(bytes), expected);
      for (let length = 0; length < bytes.length; length += 2) {
        const cut = readCongestionFeedback(bytes.subarray(0, length));
        if (cut !== undefined) checkCongestionFeedback(cut, length);
      }
    }),
    effort(seed, 1000),
  );
});

type Step =
  | { send: number; isRepair: boolean }
  | { isRepair: boolean; begin: number; arrivals: (PacketArrival | null)[] };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ send: fc.integer({ min: 1, max: 40 }), isRepair: fc.boolean() }) },
  {
    weight: 3,
    arbitrary: fc.record({
      isRepair: fc.boolean(),
      arrivals: fc.array(arrival, { maxLength: 60, size: 'max' }),
      // near the stream's newest packet, or anywhere
      begin: fc.oneof(
        { weight: 9, arbitrary: fc.integer({ min: -80, max: 20 }) },
        { weight: 1, arbitrary: fc.integer({ min: -40_000, max: 40_000 }) },
      ),
    }),
  },
);

test('whatever is reported: nothing is received twice, missing twice, invented, or negative in flight', () => {
  fc.assert(
    fc.property(fc.constantFrom(0, 65_500), fc.array(step, { maxLength: 60, size: 'max' }), (first, steps) => {
      const packets = new SentPackets();
      const next = { media: first, repair: first };
      const told = new Map<number, 'missing' | 'received'>();
      let sent = 0;
      let newest = -1;
      for (const current of steps) {
        const stream = current.isRepair ? 'repair' : 'media';
        const ssrc = current.isRepair ? 2 : 1;
        if ('send' in current) {
          for (let i = 0; i < current.send; i++, sent++) {
            packets.add(
              { sequence: sent, sentMs: sent / 10, sizeBytes: 100, kind: 'media' },
              { ssrc, sequence: next[stream]++ & 0xffff },
            );
          }
        } else {
          const begin = next[stream] + current.begin;
          const feedback = packets.resolveStreams(
            {
              timestamp: sent * 655,
              streams: [
                {
                  ssrc,
                  packets: current.arrivals.map((packet, i) => ({ sequence: (begin + i) & 0xffff, arrival: packet })),
                },
              ],
            },
            0,
          );
          for (const { sequence, receivedMs, ecn } of feedback?.packets ?? []) {
            assert.ok(sequence >= 0 && sequence < sent, `${sequence} was not sent`);
            assert.ok(
              told.get(sequence) !== 'received' && !(told.get(sequence) === 'missing' && receivedMs === null),
              `${sequence} is no news`,
            );
            assert.ok(receivedMs === null ? ecn === undefined : Number.isFinite(receivedMs) && ecn !== undefined);
            told.set(sequence, receivedMs === null ? 'missing' : 'received');
            newest = Math.max(newest, sequence);
          }
          if (feedback !== undefined) assert.equal(feedback.inFlightBytes, packets.inFlightBytes);
        }
        assert.equal(packets.inFlightBytes, 100 * (sent - newest - 1));
      }
    }),
    effort(seed, 400),
  );
});
