import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseArrivals } from '../../../../shaper/calibrate/arrivals.ts';

/** A record in the format of the native probe (struct probe_record). */
function record(sentNs: bigint, receivedNs: bigint, sequence: number, bytes: number, flow: bigint): Buffer {
  const data = Buffer.alloc(32);
  data.writeBigUInt64LE(sentNs, 0);
  data.writeBigUInt64LE(receivedNs, 8);
  data.writeUInt32LE(sequence, 16);
  data.writeUInt32LE(bytes, 20);
  data.writeBigUInt64LE(flow, 24);
  return data;
}

test('records are read in order, with times in ms', () => {
  const data = Buffer.concat([
    record(1_000_000_123n, 1_025_000_456n, 7, 1472, 2n),
    record(5n, 6n, 4_294_967_295, 24, 4_294_967_295n),
  ]);
  assert.deepEqual(parseArrivals(data), [
    { sentMs: 1000.000123, receivedMs: 1025.000456, sequence: 7, bytes: 1472, flow: 2 },
    { sentMs: 0.000005, receivedMs: 0.000006, sequence: 4_294_967_295, bytes: 24, flow: 4_294_967_295 },
  ]);
  assert.deepEqual(parseArrivals(Buffer.alloc(0)), []);
});

test('after years of uptime a delay is still right to a microsecond', () => {
  const years = BigInt(3 * 365 * 86_400) * 1_000_000_000n;
  const [one] = parseArrivals(record(years, years + 25_001_000n, 0, 24, 0n));
  assert.ok(Math.abs(one!.receivedMs - one!.sentMs - 25.001) < 0.001);
});

test('a record that was cut off is an error', () => {
  assert.throws(() => parseArrivals(Buffer.alloc(33)), {
    code: 'probe-died',
    message: 'the records of the probe were cut off after 33 bytes',
  });
});
