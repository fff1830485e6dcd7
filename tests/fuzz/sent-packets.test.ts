import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SentPackets } from '../../server/transport/sent-packets.ts';
import { effort } from './effort.ts';

type Step = { send: number } | { base: number; arrivals: (number | null)[] };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ send: fc.integer({ min: 1, max: 60 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      // near the newest packet, or anywhere
      base: fc.oneof(
        { weight: 9, arbitrary: fc.integer({ min: -120, max: 20 }) },
        { weight: 1, arbitrary: fc.integer({ min: -40_000, max: 40_000 }) },
      ),
      arrivals: fc.array(fc.option(fc.nat(1e6)), { maxLength: 80, size: 'max' }),
    }),
  },
);

test('whatever is reported: nothing is received twice, missing twice, invented, or negative in flight', () => {
  fc.assert(
    fc.property(fc.constantFrom(0, 65_500, 131_000), fc.array(step, { maxLength: 60, size: 'max' }), (first, steps) => {
      const packets = new SentPackets();
      let next = first;
      const told = new Map<number, 'missing' | 'received'>();
      let newest = -1; // the newest that was reported: what is after it is in flight
      for (const current of steps) {
        if ('send' in current) {
          for (let i = 0; i < current.send; i++, next++)
            packets.add({ sequence: next, sentMs: next / 10, sizeBytes: 100, kind: 'media' });
        } else {
          const base = (next + current.base) & 0xffff;
          const feedback = packets.resolve(
            {
              count: 0,
              packets: current.arrivals.map((ms, i) => ({
                sequence: (base + i) & 0xffff,
                receivedUs: ms === null ? null : ms * 250,
              })),
            },
            0,
          );
          for (const { sequence, receivedMs } of feedback?.packets ?? []) {
            assert.ok(sequence >= first && sequence < next, `${sequence} was not sent`);
            assert.ok(
              told.get(sequence) !== 'received' && !(told.get(sequence) === 'missing' && receivedMs === null),
              `${sequence} is no news`,
            );
            told.set(sequence, receivedMs === null ? 'missing' : 'received');
            newest = Math.max(newest, sequence);
          }
          if (feedback !== undefined) assert.equal(feedback.inFlightBytes, packets.inFlightBytes);
        }
        assert.equal(packets.inFlightBytes, 100 * (next - Math.max(first, newest + 1)));
      }
    }),
    effort(20, 400),
  );
});
