import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Link, plainLink, plainPath } from '../../../../core/vocabulary/link.ts';
import type { ApplicationRun } from '../../../../harness/trial/application-run.ts';
import { readQueueLogs } from '../../../../harness/trial/trial-queue-log.ts';
import { logAt } from '../../../../shaper/backend/link-chain.ts';
import { dequeue, enqueue, type Fields, logBytes } from '../../shaper/support/queue-log-bytes.ts';
import { temporaryFolder } from '../support/folder.ts';
import { application } from '../support/record.ts';

const folder = temporaryFolder();
const ms = 1_000_000;
const ends: Record<string, Pick<Fields, 'source' | 'destination'>> = {
  both: { source: '10.0.1.2', destination: '10.0.2.2' },
  second: { source: '10.0.3.2', destination: '10.0.2.3' },
};

/** Records of a packet that comes to a queue and leaves it 5 ms later. */
const passed = (name: string, packet: number, timeMs: number): Fields[] => [
  { ...ends[name], event: enqueue, packet, timeNs: timeMs * ms },
  { ...ends[name], event: dequeue, packet, timeNs: (timeMs + 5) * ms, sojournNs: 5 * ms },
];

test('the log of each bottleneck has the applications that cross it, and their first packets are at the first of these', async () => {
  const { paths: _, bytes: __, ...hop } = plainLink(2e6, { unit: 'packets', value: 50 });
  const link: Link = {
    ...plainLink(2e6, { unit: 'packets', value: 50 }),
    further: [hop],
    paths: { both: plainPath, second: { ...plainPath, crosses: { from: 2, to: 2 } } },
  };
  const file = join(folder, 'queue.log');
  const logs = [
    [...passed('both', 1, 1100), ...passed('both', 2, 1200)],
    [...passed('second', 1, 1050), ...passed('both', 2, 1105), ...passed('both', 3, 1205)],
  ];
  for (const [k, records] of logs.entries()) writeFileSync(logAt(file, k + 1), logBytes(...records));
  const toQueue: [name: string, isMet: boolean][] = [];
  const runs = Object.entries(ends).map(([name, { source, destination }]) => ({
    application: application(name, 'video-call', 'live-clip', {}),
    party: { server: source!, client: destination! },
    file: { packets: null },
    media: (_: unknown, toQueueMs: number | null) => void toQueue.push([name, toQueueMs !== null]),
  }));
  const read = await readQueueLogs(
    {
      ends: logs.map(({ length }) => ({ records: length, lost: 0 })),
      file,
      router: { clocks: () => ({ monotonicOffsetMs: 0 }) },
      phases: { windowStartMs: 1000, windowEndMs: 2000 },
      kept: false,
    } as never,
    link,
    runs as unknown as ApplicationRun[],
  );
  const told = (of: { traffic: { application: string | null; sentPackets: number }[] } | undefined) =>
    of!.traffic.map(({ application: name, sentPackets }) => [name, sentPackets]);
  assert.deepEqual(told(read!.reading), [['both', 2]]);
  assert.deepEqual(told(read!.reading.further![0]), [
    ['second', 1],
    ['both', 2],
  ]);
  assert.deepEqual(
    runs.map(run => run.file.packets),
    [
      { firstMs: 1100, lastMs: 1200 },
      { firstMs: 1050, lastMs: 1050 },
    ],
  );
  // each application is checked for missing packets at the first bottleneck that its packets meet
  assert.deepEqual(toQueue, [
    ['both', true],
    ['second', false],
    ['both', false],
    ['second', true],
  ]);
});
