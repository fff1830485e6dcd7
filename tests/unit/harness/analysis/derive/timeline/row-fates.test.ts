import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { fate, reasonOf } from '../../../../../../harness/analysis/derive/timeline/packet-fates.ts';
import { rowFates } from '../../../../../../harness/analysis/derive/timeline/row-fates.ts';
import type { MediaQueueRecord } from '../../../../../../harness/record/series/queue.media.ts';
import { temporaryFolder } from '../../../support/folder.ts';
import { writeRecord } from '../../../support/record.ts';

const folder = temporaryFolder();

/** Line of a bottleneck on packets given as [sequence number, arrival, time in the queue]. */
const lineOf = (
  packets: readonly (readonly [number, number, number | null])[],
  more: Partial<MediaQueueRecord> = {},
): MediaQueueRecord => ({
  timeMs: 100,
  payloadTypes: packets.map(() => 96),
  sequences: packets.map(([sequence]) => sequence),
  offeredMs: packets.map(([, offeredMs]) => offeredMs - 100),
  sojournMs: packets.map(([, , sojournMs]) => sojournMs),
  queuePackets: packets.map((_, i) => i),
  dropped: [],
  ...more,
});

test('a packet is in the queues from its arrival at the first to its departure from the last', async () => {
  const table = await writeRecord(join(folder, 'row'), {
    packets: [0, 1, 2, 3].map(k => ({
      sequence: k,
      kind: 'media',
      rtpSequence: k,
      rtpTimestamp: 0,
      frame: 0,
      sentMs: 100 + k,
      bytes: 1200,
      receivedMs: null,
      feedbackMs: null,
    })),
  }).packetTable();
  const first = lineOf([
    [0, 101, 4],
    [1, 102, 5],
    [2, 103, 6],
    [3, 104, 0],
  ]);
  const second = lineOf(
    [
      [0, 105.5, 10],
      [1, 107.5, 0],
      [2, 109.5, null],
    ],
    { hop: 2, dropped: [{ index: 1, reason: 'overflow' }] },
  );
  for (const lines of [
    [{ ...first, dropped: [{ index: 3, reason: 'aqm' as const }] }, second],
    [second, { ...first, dropped: [{ index: 3, reason: 'aqm' as const }] }],
  ]) {
    const fates = rowFates(table, lines)!;
    assert.deepEqual([...fates.offeredMs], [101, 102, 103, 104]);
    assert.deepEqual([...fates.sojournMs], [14.5, 5.5, NaN, 0]);
    assert.deepEqual([fates.fate[0], fates.fate[2]], [fate.left, fate.waiting]);
    assert.deepEqual([reasonOf(fates.fate[1]!), reasonOf(fates.fate[3]!)], ['overflow', 'aqm']);
    // where it waited longest, or where it ended
    assert.deepEqual([...fates.hop], [2, 2, 2, 1]);
    assert.deepEqual([...fates.queuePackets], [0, 1, 2, 3]);
  }
  assert.equal(rowFates(table, []), null);
});
