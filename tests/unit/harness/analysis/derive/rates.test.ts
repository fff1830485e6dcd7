import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { inboundCounter } from '../../../../../harness/analysis/derive/inbound.ts';
import {
  bytesOf,
  flowsBps,
  goodputBps,
  mediaBytes,
  ownGoodputBps,
} from '../../../../../harness/analysis/derive/rates.ts';
import type { Application } from '../../../../../harness/definition/applications.ts';
import type { TrialRecord } from '../../../../../harness/record/trial-record.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { condition, endMs, flood, startMs, stats, tcp, writeRecord } from '../../support/record.ts';

const folder = temporaryFolder();

const othersBps = (record: TrialRecord) => goodputBps(record.others(), record);

test('a counter of getStats is a series of the readings that have it', async () => {
  const record = writeRecord(join(folder, 'inbound'), {
    stats: [
      stats(1, { bytesReceived: 10 }),
      { timeMs: 2, inbound: null },
      stats(3, { framesDecoded: 1 }),
      { timeMs: 4, inbound: { bytesReceived: 'many' } },
      stats(5, { bytesReceived: 30 }),
    ],
  });
  assert.deepEqual(await inboundCounter(record, 'bytesReceived'), [
    { timeMs: 1, value: 10 },
    { timeMs: 5, value: 30 },
  ]);
  assert.deepEqual(await mediaBytes(record), await inboundCounter(record, 'bytesReceived'));
});

test('media goodput is what arrived in the window, between readings around its ends', async () => {
  // 1 MB in each of the seconds around the window's start and end, half of which are inside, and 8 MB between them
  const record = writeRecord(join(folder, 'media'), {
    stats: [
      stats(startMs - 500, { bytesReceived: 0 }),
      stats(startMs + 500, { bytesReceived: 1e6 }),
      stats(endMs - 500, { bytesReceived: 9e6 }),
      stats(endMs + 500, { bytesReceived: 10e6 }),
    ],
  });
  assert.equal(await ownGoodputBps(record), ((0.5e6 + 8e6 + 0.5e6) * 8) / 10);
});

test('a transfer has what all its clients tell to have received', async () => {
  const told = (timeMs: number, receivedBytes: number, client?: number) => ({
    timeMs,
    kind: 'transfer',
    receivedBytes,
    flows: 1,
    ...(client === undefined ? {} : { client }),
  });
  const record = (name: string, service: object[]) => writeRecord(join(folder, name), { service });
  const three = [1, 2, 3].flatMap(client => [told(startMs, 0, client), told(endMs, client * 1e6, client)]);
  assert.equal(await ownGoodputBps(record('three', three)), (6e6 * 8) / 10);
  const one = record('one', [told(startMs, 0), told(endMs, 1e6)]);
  assert.equal(await ownGoodputBps(one), 8e5);
  const half = record('half', three.slice(0, -1));
  assert.equal(await ownGoodputBps(half), null, 'one of them was not read at the end');
});

test('the goodput of other applications is what their receiving sockets took, all flows together', async () => {
  const record = writeRecord(
    join(folder, 'flood'),
    {
      tcp: [
        tcp(startMs, 'receiver', 1, { bytesReceived: 1000 }),
        tcp(startMs, 'receiver', 2, { bytesReceived: 0 }),
        tcp(startMs, 'sender', 1, { bytesSent: 5 }),
        tcp(startMs, 'receiver', 3, {}),
        tcp(endMs, 'receiver', 1, { bytesReceived: 31_000 }),
        tcp(endMs, 'receiver', 2, { bytesReceived: 20_000 }),
      ],
    },
    { flood },
  );
  assert.deepEqual(await bytesOf(record.others()), [
    [
      { timeMs: startMs, value: 1000 },
      { timeMs: endMs, value: 31_000 },
    ],
    [
      { timeMs: startMs, value: 0 },
      { timeMs: endMs, value: 20_000 },
    ],
  ]);
  assert.deepEqual(await flowsBps(record.others(), record), [24_000, 16_000]);
  assert.equal(await othersBps(record), ((30_000 + 20_000) * 8) / 10);
});

test('a rate that was not read at both ends is not known', async () => {
  const late = [stats(startMs + 1001, { bytesReceived: 0 }), stats(endMs, { bytesReceived: 5 })];
  assert.equal(await ownGoodputBps(writeRecord(join(folder, 'late'), { stats: late })), null);
  assert.equal(await othersBps(writeRecord(join(folder, 'none'), {}, { flood })), null);
  const half = [
    tcp(startMs, 'receiver', 1, { bytesReceived: 0 }),
    tcp(endMs, 'receiver', 1, { bytesReceived: 9 }),
    tcp(startMs + 5000, 'receiver', 2, { bytesReceived: 1 }),
  ];
  assert.equal(await othersBps(writeRecord(join(folder, 'half'), { tcp: half }, { flood })), null);
});

test('without other applications they have no goodput', async () => {
  const record = writeRecord(join(folder, 'alone'), {});
  assert.equal(await goodputBps([], record), null);
});

test('other applications are a call and a flood: their flows count while both are in use', async () => {
  const [subject, one] = condition.applications as [Application, Application];
  const applications = [subject, one, { ...subject, name: 'second' }];
  const record = writeRecord(
    join(folder, 'several'),
    { tcp: [startMs, endMs].map((timeMs, i) => tcp(timeMs, 'receiver', 1, { bytesReceived: 1e6 * i })) },
    { flood, condition: { ...condition, applications } },
  );
  const second = record.as('second');
  mkdirSync(second.directory, { recursive: true });
  const told = [startMs, endMs].map((timeMs, i) => JSON.stringify(stats(timeMs, { bytesReceived: 2e6 * i })));
  writeFileSync(join(second.directory, 'stats.jsonl'), told.map(line => `${line}\n`).join(''));
  assert.deepEqual(await flowsBps(record.others(), record), [8e5, 16e5]);
  assert.equal(await othersBps(record), 24e5);
});

test('the goodput of an application that is no call: its sockets', async () => {
  const record = writeRecord(join(folder, 'sockets'), {
    tcp: [startMs, endMs].flatMap((timeMs, i) => [
      tcp(timeMs, 'receiver', 1, { bytesReceived: 30_000 * i }),
      tcp(timeMs, 'receiver', 2, { bytesReceived: 1000 + 20_000 * i }),
    ]),
  });
  assert.equal(await ownGoodputBps(record.as('flood')), 40_000);
});

test('the goodput of an application that is no call: what it tells where it has no sockets of TCP', async () => {
  for (const kind of ['transfer', 'video', 'page', 'element']) {
    const record = writeRecord(join(folder, kind), {
      service: [
        { timeMs: startMs - 500, kind, receivedBytes: 0 },
        { timeMs: startMs + 500, kind, receivedBytes: 100_000 },
        { timeMs: startMs + 700, kind: 'load', number: 1, bytes: 5 },
        { timeMs: endMs, kind, receivedBytes: 300_000 },
      ],
    });
    assert.equal(await ownGoodputBps(record), 200_000, kind);
  }
});

test('a call has its media goodput, and what was not read at both ends has none', async () => {
  const call = writeRecord(join(folder, 'call'), {
    stats: [stats(startMs, { bytesReceived: 0 }), stats(endMs, { bytesReceived: 1e6 })],
    service: [startMs, endMs].map((timeMs, i) => ({ timeMs, kind: 'transfer', receivedBytes: 7 * i })),
  });
  assert.equal(await ownGoodputBps(call), 800_000);
  const late = writeRecord(join(folder, 'late'), {
    service: [{ timeMs: startMs + 5000, kind: 'transfer', receivedBytes: 7 }],
  });
  assert.equal(await ownGoodputBps(late), null);
  assert.equal(await ownGoodputBps(writeRecord(join(folder, 'untold'), {})), null);
});
