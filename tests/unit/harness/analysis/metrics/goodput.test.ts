import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Link } from '../../../../../core/vocabulary/link.ts';
import { plugin as goodput } from '../../../../../harness/analysis/metrics/goodput/index.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { condition, endMs, flood, reading, startMs, stats, tcp, writeRecord } from '../../support/record.ts';

const folder = temporaryFolder();
// 1.25 MB in 10 s: 1 Mbit/s
const media = [stats(startMs, { bytesReceived: 1000 }), stats(endMs, { bytesReceived: 1_251_000 })];
const sockets = [
  tcp(startMs, 'receiver', 9, { bytesReceived: 0 }),
  tcp(endMs, 'receiver', 9, { bytesReceived: 46_250_000 }),
]; // 37 Mbit/s

test("each side's payload, and how full the link was", async () => {
  // the queue was read 20 ms after the window's start and 30 ms after its end: 50.05 MB left it in 10.01 s
  const bottleneck = {
    before: reading(startMs + 20, { sentBytes: 1e6 }),
    after: reading(endMs + 30, { sentBytes: 1e6 + 50.05e6 }),
  };
  assert.deepEqual(
    await goodput.compute(writeRecord(join(folder, 'both'), { stats: media, tcp: sockets }, { flood, bottleneck })),
    {
      'media-goodput': 1e6,
      'flood-goodput': 37e6,
      'link-utilisation': (50.05e6 * 8) / 10.01 / 40e6,
      'up-link-utilisation': null,
    },
  );
});

test('a link with a schedule is compared with the mean of its rates, one with a trace with none', async () => {
  const bottleneck = { before: reading(startMs, { sentBytes: 0 }), after: reading(endMs, { sentBytes: 25e6 }) };
  const utilisation = async (change: Partial<Link>) =>
    (
      await goodput.compute(
        writeRecord(
          join(folder, JSON.stringify(change).length.toString()),
          { stats: media },
          { bottleneck, condition: { ...condition, link: { ...condition.link, ...change } } },
        ),
      )
    )['link-utilisation'];
  assert.equal(await utilisation({ schedule: [{ atMs: 5000, rateBps: 10e6, rampMs: 0 }] }), (25e6 * 8) / 10 / 25e6);
  assert.equal(await utilisation({ trace: 'some.trace' }), null);
});

test('the link from the clients has a utilisation of its own', async () => {
  const up = (sentBytes: number) => ({ up: { sentBytes, sentPackets: 1, droppedPackets: 0, backlogPackets: 0 } });
  const { link } = condition;
  const of = async (name: string, ownUp: Link['up'], before: object = up(0)) => {
    const bottleneck = { before: reading(startMs, before), after: reading(endMs, up(1e6)) };
    const change = { bottleneck, condition: { ...condition, link: { ...link, up: ownUp } } };
    return (await goodput.compute(writeRecord(join(folder, name), { stats: media }, change)))['up-link-utilisation'];
  };
  const own = { ...link, rateBps: 1e6 };
  assert.equal(await of('up', own), 0.8);
  assert.equal(await of('up-trace', { ...own, trace: 'some.trace' }), null);
  assert.equal(await of('up-older', own, {}), null);
  assert.equal(await of('up-none', null), null);
});

test('without a flood and without counters', async () => {
  assert.deepEqual(await goodput.compute(writeRecord(join(folder, 'alone'), { stats: media })), {
    'media-goodput': 1e6,
    'flood-goodput': null,
    'link-utilisation': null,
    'up-link-utilisation': null,
  });
});
