import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { PacketKind } from '../../../../../../core/vocabulary/packet-kind.ts';
import { fate, packetFates, reasonOf } from '../../../../../../harness/analysis/derive/timeline/packet-fates.ts';
import type { MediaQueueRecord } from '../../../../../../harness/record/series/queue.media.ts';
import { temporaryFolder } from '../../../support/folder.ts';
import { writeRecord } from '../../../support/record.ts';

const folder = temporaryFolder();
let made = 0;

/** Returns the table of packets that are given as [kind, RTP sequence number, time of sending]. */
const tableOf = (packets: readonly (readonly [PacketKind, number, number])[]) =>
  writeRecord(join(folder, String(made++)), {
    packets: packets.map(([kind, rtpSequence, sentMs], sequence) => ({
      sequence,
      kind,
      rtpSequence,
      rtpTimestamp: 0,
      frame: 0,
      sentMs,
      bytes: 1200,
      receivedMs: null,
      feedbackMs: null,
    })),
  }).packetTable();

/**
 * Returns the queue's line on packets that are given as [payload type, sequence number, arrival, time in the queue].
 */
const lineOf = (
  packets: readonly (readonly [number, number, number, number | null])[],
  dropped: MediaQueueRecord['dropped'] = [],
): MediaQueueRecord => ({
  timeMs: 100,
  payloadTypes: packets.map(p => p[0]),
  sequences: packets.map(p => p[1]),
  offeredMs: packets.map(p => p[2] - 100),
  sojournMs: packets.map(p => p[3]),
  queuePackets: packets.map((_, i) => i),
  dropped,
});

test('each packet finds its own, in two streams that number alike, over the wrap', async () => {
  const table = await tableOf([
    ['media', 65_535, 100],
    ['retransmission', 65_535, 101],
    ['media', 0, 102],
    ['padding', 0, 103],
    ['media', 1, 104],
    ['media', 2, 105],
    ['media', 3, 106],
  ]);
  const fates = packetFates(table, [
    lineOf(
      [
        [96, 65_535, 100.5, 5],
        [97, 65_535, 101.5, 6],
        [96, 0, 102.5, 0],
        [97, 0, 103.5, 7],
      ],
      [{ index: 2, reason: 'overflow' }],
    ),
    lineOf([
      [96, 1, 104.5, null],
      [96, 2, 105.5, 9],
      [96, 2, 105.5, 11],
    ]),
  ])!;
  assert.deepEqual(
    [...fates.fate].map(number => reasonOf(number) ?? Object.keys(fate)[number]),
    ['left', 'left', 'overflow', 'left', 'waiting', 'left', 'unknown'],
  );
  assert.deepEqual([...fates.offeredMs], [100.5, 101.5, 102.5, 103.5, 104.5, 105.5, NaN]);
  assert.deepEqual([...fates.sojournMs], [5, 6, 0, 7, NaN, 9, NaN]);
  assert.deepEqual([...fates.queuePackets.subarray(0, 4)], [0, 1, 2, 3]);
});

test('error correction is a stream of its own', async () => {
  const table = await tableOf([
    ['media', 7, 100],
    ['protection', 5000, 101],
    ['retransmission', 20_000, 102],
  ]);
  const fates = packetFates(table, [
    lineOf([
      [96, 7, 100.5, 5],
      [98, 5000, 101.5, 6],
      [97, 20_000, 102.5, 7],
    ]),
  ])!;
  assert.deepEqual(
    [[...fates.offeredMs], [...fates.sojournMs]],
    [
      [100.5, 101.5, 102.5],
      [5, 6, 7],
    ],
  );
});

test('the payload types may be either way round: times tell which is which', async () => {
  const media = Array.from({ length: 50 }, (_, i) => ['media', 100 + i, 1000 + i] as const);
  const again = Array.from({ length: 50 }, (_, i) => ['retransmission', 100 + i, 40_000 + i] as const);
  const table = await tableOf([...media, ...again]);
  const fates = packetFates(table, [
    lineOf([
      ...media.map(([, n, ms]) => [99, n, ms + 1, 2] as const),
      ...again.map(([, n, ms]) => [98, n, ms + 1, 3] as const),
    ]),
  ])!;
  assert.deepEqual(
    [fates.sojournMs[0], fates.sojournMs[50], [...fates.fate].every(number => number === fate.left)],
    [2, 3, true],
  );
});

test("without a log, or with one of somebody else's packets, nothing is known", async () => {
  const table = await tableOf([['media', 1, 100]]);
  assert.equal(packetFates(table, []), null);
  assert.equal(packetFates(table, [lineOf([[96, 30_000, 100.5, 1]])]), null);
  assert.equal(packetFates(await tableOf([]), [lineOf([[96, 1, 100.5, 1]])]), null);
});
