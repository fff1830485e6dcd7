import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Link } from '../../../../../core/vocabulary/link.ts';
import { plugin } from '../../../../../harness/analysis/metrics/utilisation/index.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { condition, endMs, reading, startMs, writeRecord } from '../../support/record.ts';

const folder = temporaryFolder();

test('how full the link was', async () => {
  // the queue was read 20 ms after the window's start and 30 ms after its end: 50.05 MB left it in 10.01 s
  const bottleneck = {
    before: reading(startMs + 20, { sentBytes: 1e6 }),
    after: reading(endMs + 30, { sentBytes: 1e6 + 50.05e6 }),
  };
  assert.deepEqual(await plugin.compute(writeRecord(join(folder, 'both'), {}, { bottleneck })), {
    'link-utilisation': (50.05e6 * 8) / 10.01 / 40e6,
  });
});

test('a link with a schedule is compared with the mean of its rates, one with a trace with none', async () => {
  const bottleneck = { before: reading(startMs, { sentBytes: 0 }), after: reading(endMs, { sentBytes: 25e6 }) };
  const utilisation = async (change: Partial<Link>) =>
    (
      await plugin.compute(
        writeRecord(
          join(folder, JSON.stringify(change).length.toString()),
          {},
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
    return (await plugin.compute(writeRecord(join(folder, name), {}, change).atHop(1, 'up')))['link-utilisation'];
  };
  const own = { ...link, rateBps: 1e6 };
  assert.equal(await of('up', own), 0.8);
  assert.equal(await of('up-trace', { ...own, trace: 'some.trace' }), null);
  assert.equal(await of('up-older', own, {}), null);
});

test('without counters', async () => {
  assert.deepEqual(await plugin.compute(writeRecord(join(folder, 'alone'), {})), {
    'link-utilisation': null,
  });
});
