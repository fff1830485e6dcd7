import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReportBlock } from '../../../../server/rtp/rtcp-reader.ts';
import { compactNtp, ntpTimestamp, roundTripMs, writeSenderReport } from '../../../../server/rtp/sender-report.ts';

/** Unix ms of a 32.32 NTP time. */
const unixMs = (seconds: number, fraction: number) => (seconds - 2_208_988_800) * 1000 + (fraction * 1000) / 2 ** 32;
const block = (lastSenderReport: number, delaySinceLastSenderReport: number): ReportBlock => ({
  ssrc: 1,
  fractionLost: 0,
  cumulativeLost: 0,
  highestSequence: 0,
  jitter: 0,
  lastSenderReport,
  delaySinceLastSenderReport,
});
/** Returns the round trip for the times of sending, holding and arrival. */
const roundTrip = (sentMs: number, heldMs: number, arrivedMs: number) =>
  roundTripMs(block(compactNtp(ntpTimestamp(sentMs)), Math.round(heldMs * 65.536)), arrivedMs)!;
const near = (actual: number, expected: number) =>
  assert.ok(Math.abs(actual - expected) < (1000 / 65536) * 2, `${actual}, expected ${expected}`);

test('NTP counts from 1900', () => {
  assert.equal(ntpTimestamp(0), 2_208_988_800n << 32n);
  assert.equal(ntpTimestamp(500), (2_208_988_800n << 32n) + 2n ** 31n);
  assert.equal(ntpTimestamp(Date.UTC(2026, 0, 1)) >> 32n, 3_976_214_400n); // 1767225600 + 2208988800
});

test('the worked example of RFC 3550, figure 2', () => {
  // n: SR sent at 0xb44db705:20000000; its middle 32 bits are LSR 0xb7052000
  assert.equal(compactNtp(ntpTimestamp(unixMs(0xb44db705, 0x20000000))), 0xb7052000);
  // A = 0xb710:8000, DLSR = 0x0005:4000 (5.250 s): A - LSR - DLSR = 0x0006:2000 = 6.125 s
  assert.equal(roundTripMs(block(0xb7052000, 0x00054000), unixMs(0xb44db710, 0x80000000)), 6125);
});

test('no round trip without a sender report', () => {
  assert.equal(roundTripMs(block(0, 0), 1e12), undefined);
});

test('a report held for longer than it was on its way gives none', () => {
  assert.equal(roundTripMs(block(compactNtp(ntpTimestamp(1000)), 65536), 1999), undefined);
  near(roundTrip(1000, 1000, 2000), 0);
});

test('round trips across the wrap of the compact time (every 18.2 hours)', () => {
  const wrapMs = unixMs(0xb44e0000, 0);
  near(roundTrip(wrapMs - 30, 20, wrapMs + 40), 50);
  near(roundTrip(Date.UTC(2026, 7, 1, 12), 100, Date.UTC(2026, 7, 1, 12) + 123.4), 23.4);
});

test('a sender report and its description, byte by byte', () => {
  const report = writeSenderReport({
    ssrc: 0x11223344,
    timeMs: unixMs(0xb44db705, 0x20000000),
    rtpTimestamp: 0x55667788,
    packetCount: 5,
    octetCount: 0x1234,
    cname: 'coexist',
  });
  assert.equal(
    report.toString('hex'),
    [
      '80c80006',
      '11223344',
      'b44db70520000000',
      '55667788',
      '00000005',
      '00001234',
      '81ca0004',
      '11223344',
      '0107',
      Buffer.from('coexist').toString('hex'),
      '000000', // 4 + 2 + 7 + 3 zero bytes = 16
    ].join(''),
  );
});

test('names of every length end in a zero byte on a word', () => {
  for (const [cname, zeros] of [
    ['a', 1],
    ['ab', 4],
    ['abc', 3],
    ['abcd', 2],
    ['abcde', 1],
  ] as const) {
    const { length } = writeSenderReport({ ssrc: 1, timeMs: 0, rtpTimestamp: 0, packetCount: 0, octetCount: 0, cname });
    assert.equal(length, 28 + 4 + 4 + 2 + cname.length + zeros, cname);
    assert.equal(length % 4, 0);
  }
});

test('counters and timestamps wrap at 32 bits', () => {
  const report = writeSenderReport({
    ssrc: 1,
    timeMs: 0,
    rtpTimestamp: 2 ** 32 + 1,
    packetCount: 2 ** 32 + 2,
    octetCount: 2 ** 32 + 3,
    cname: 'a',
  });
  assert.deepEqual(
    [16, 20, 24].map(offset => report.readUInt32BE(offset)),
    [1, 2, 3],
  );
});
