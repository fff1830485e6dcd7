/** What holds of every message of congestion control feedback that is read, whatever the bytes were. */
import assert from 'node:assert/strict';
import type { CongestionFeedback } from '../../server/rtp/congestion-feedback.ts';

export function checkCongestionFeedback({ streams, timestamp }: CongestionFeedback, bytes: number): void {
  assert.ok(Number.isInteger(timestamp) && timestamp >= 0 && timestamp < 2 ** 32);
  assert.ok(
    8 * streams.length + 2 * streams.reduce((count, { packets }) => count + packets.length, 0) <= bytes,
    `${streams.length} streams from ${bytes} bytes`,
  );
  for (const { ssrc, packets } of streams) {
    assert.ok(Number.isInteger(ssrc) && ssrc >= 0 && ssrc < 2 ** 32 && packets.length <= 16_384);
    for (const [i, { sequence, arrival }] of packets.entries()) {
      assert.equal(sequence, (packets[0]!.sequence + i) & 0xffff);
      if (arrival === null) continue;
      assert.ok(['not-ect', 'ect0', 'ect1', 'ce'].includes(arrival.ecn));
      assert.ok(
        arrival.offset === 'earlier' ||
          arrival.offset === 'unknown' ||
          (Number.isInteger(arrival.offset) && arrival.offset >= 0 && arrival.offset <= 8189),
      );
    }
  }
}
