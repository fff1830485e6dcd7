import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../../core/random.ts';
import { readTransportFeedback } from '../../../server/rtp/transport-feedback.ts';
import { readChromiumLog } from '../../bench/gcc/chromium-log.ts';
import { compare } from '../../bench/gcc/compare.ts';
import { FeedbackWriter } from '../../bench/gcc/feedback-writer.ts';
import { readSendTimes } from '../../bench/gcc/send-times.ts';
import { readSentRtp } from '../../bench/gcc/sent-rtp.ts';

/** What our reader makes of a report. */
function told(report: Buffer) {
  assert.deepEqual(
    [report[0]! & 0xdf, report[1], report.length % 4, report.readUInt16BE(2)],
    [0x80 | 15, 205, 0, report.length / 4 - 1],
  );
  return readTransportFeedback(report.subarray(12))!.packets;
}

test('a report tells what arrived and what did not, once', () => {
  const writer = new FeedbackWriter(1);
  assert.equal(writer.take(2), undefined);
  for (const [sequence, us] of [
    [65534, 1e6],
    [65535, 1e6 + 250],
    [1, 1e6 + 80e3],
    [2, 1e6 + 79e3],
  ] as const)
    writer.onArrival(sequence, us);
  const packets = told(writer.take(2)!);
  assert.deepEqual(
    packets.map(packet => packet.sequence),
    [65534, 65535, 0, 1, 2],
  );
  assert.deepEqual(
    packets.map(({ receivedUs }) => (receivedUs === null ? null : receivedUs - packets[0]!.receivedUs!)),
    [0, 250, null, 80e3, 79e3],
  );
  assert.equal(writer.take(2), undefined);
  writer.onArrival(3, 2e6);
  assert.deepEqual(
    told(writer.take(2)!).map(packet => packet.sequence),
    [3],
  );
});

test('whatever arrives, our reader reads what the writer was told, within half a step', () => {
  const random = seededRandom(3);
  const writer = new FeedbackWriter(1);
  let us = 5e9;
  for (let sequence = 0; sequence < 3000; ) {
    const arrivals = new Map<number, number>();
    for (let k = 0; k < 30; k++, sequence++) {
      us += random.next() * 30e3;
      if (random.next() < 0.9) arrivals.set(sequence & 0xffff, us);
    }
    for (const [number, at] of arrivals) writer.onArrival(number, at);
    const packets = told(writer.take(2)!).filter(packet => packet.receivedUs !== null);
    assert.deepEqual(
      packets.map(packet => packet.sequence),
      [...arrivals.keys()],
    );
    const range = 2 ** 24 * 64_000;
    for (const { sequence: number, receivedUs } of packets) {
      const apart = (arrivals.get(number)! - receivedUs!) % range;
      assert.ok(Math.min(Math.abs(apart), Math.abs(apart - range)) <= 126, `${apart} us`);
    }
  }
});

test('estimates and clusters are found in what Chromium says', () => {
  const { estimates, clusters } = readChromiumLog(
    [
      '[7:8:1121/200406.730062:VERBOSE1:third_party/webrtc/modules/congestion_controller/goog_cc/goog_cc_network_control.cc:653] bwe 14741710 pushback_target_bps=290000 estimate_bps=300000',
      '[7:8:1121/200406.730167:INFO:third_party/webrtc/modules/pacing/bitrate_prober.cc:130] Probe cluster (bitrate_bps:min bytes:min packets): (900 kbps:1688:5, Inactive)',
      '[7:8:1121/200406.886551:INFO:third_party/webrtc/modules/pacing/bitrate_prober.cc:130] Probe cluster (bitrate_bps:min bytes:min packets): (3880800 bps:7277:5, Inactive)',
      '[7:8:1121/200407.000000:INFO:other.cc:1] nothing of it',
      'not a line of it',
    ].join('\n'),
    2026,
  );
  const at = new Date(2026, 10, 21, 20, 4, 6).getTime();
  assert.deepEqual(estimates, [{ timeMs: at + 730.062, bps: 300000 }]);
  assert.deepEqual(
    clusters.map(({ rateBps, minBytes, minPackets }) => [rateBps, minBytes, minPackets]),
    [
      [900e3, 1688, 5],
      [3880800, 7277, 5],
    ],
  );
});

test('RTP of one sender is found in a capture, by its extension', () => {
  // id 2 with three bytes, id 4 with two
  const ext = Buffer.from([0xbe, 0xde, 0, 2, 0x22, 1, 2, 3, 0x41, 0x12, 0x34, 0]);
  const rtp = (first: number, type: number) =>
    Buffer.concat([Buffer.from([first, type, 0, 1, 0, 0, 0, 0, 0, 0, 0, 9]), ext]);
  const frame = (source: number[], protocol: number, payload: Buffer) =>
    Buffer.concat([
      Buffer.alloc(12),
      Buffer.from([8, 0, 0x45, 0, 0, 0, 0, 0, 0, 0, 64, protocol, 0, 0, ...source, 10, 0, 2, 2]),
      Buffer.alloc(8),
      payload,
    ]);
  const record = (bytes: Buffer, seconds: number, length: number) => {
    const header = Buffer.alloc(16);
    header.writeUInt32LE(seconds, 0);
    header.writeUInt32LE(5e6, 4);
    header.writeUInt32LE(bytes.length, 8);
    header.writeUInt32LE(length, 12);
    return Buffer.concat([header, bytes]);
  };
  const [ours, theirs] = [
    [10, 0, 1, 2],
    [10, 0, 3, 2],
  ];
  const pcap = Buffer.concat([
    Buffer.alloc(24),
    record(frame(ours, 17, rtp(0x90, 102)), 1, 1214),
    record(frame(theirs, 17, rtp(0x90, 102)), 2, 500),
    record(frame(ours, 6, rtp(0x90, 102)), 3, 500),
    record(frame(ours, 17, rtp(0x90, 200)), 4, 500),
    record(frame(ours, 17, rtp(0xb0, 103)), 5, 300),
    record(Buffer.alloc(20), 6, 20),
  ]);
  assert.deepEqual(readSentRtp(pcap, '10.0.1.2', 4), [
    { sentMs: 1005, header: '906600010000000000000009', sequence: 0x1234, sizeBytes: 1190, isPadding: false },
    { sentMs: 5005, header: 'b06700010000000000000009', sequence: 0x1234, sizeBytes: 276, isPadding: true },
  ]);
  assert.deepEqual(readSentRtp(pcap, '10.0.1.2', 5), []);
});

test("times of sending are found by the packet, in whole us of the sender's clock", () => {
  const record = (ns: bigint, first: number) => {
    const bytes = Buffer.alloc(28);
    bytes.writeBigInt64LE(ns, 0);
    bytes.writeBigInt64LE(1_000_500_000n, 8);
    bytes.writeUInt32BE(first, 16);
    return bytes;
  };
  const times = readSendTimes(
    Buffer.concat([
      record(5_001_999_999n, 0x90660001),
      record(5_002_000_000n, 0x90660002),
      record(9n, 0x90660001),
      Buffer.alloc(5),
    ]),
  );
  assert.deepEqual(
    [...times],
    [
      ['906600010000000000000000', { ownMs: 5001.999, aheadMs: 1000.5 }],
      ['906600020000000000000000', { ownMs: 5002, aheadMs: 1000.5 }],
    ],
  );
});

test('nearness is the median of the differences, and larger changes are looked at one by one', () => {
  const theirs = [
    { timeMs: 0, bps: 1e6 },
    { timeMs: 5000, bps: 2e6 },
    { timeMs: 10_000, bps: 1e6 },
  ];
  const same = compare(
    theirs.map(({ timeMs, bps }) => ({ timeMs: timeMs + 200, bps: bps * 1.1 })),
    theirs,
    0,
    15_000,
  );
  assert.ok(Math.abs(same.medianError - 0.1) < 1e-9);
  assert.deepEqual([same.changes, same.sameDirection], [2, 2]);
  const opposite = compare(
    [
      { timeMs: 0, bps: 1e6 },
      { timeMs: 5000, bps: 0.5e6 },
      { timeMs: 10_000, bps: 1e6 },
    ],
    theirs,
    0,
    15_000,
  );
  assert.deepEqual([opposite.changes, opposite.sameDirection], [2, 0]);
});
