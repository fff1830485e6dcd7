import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { floodModel, stateShares } from '../../../../../harness/analysis/derive/flood-model.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { endMs, startMs, writeRecord } from '../../support/record.ts';

const folder = temporaryFolder();
const sample = (timeMs: number, port: number, change: object) => ({
  kind: 'sample',
  timeMs,
  port,
  state: 'cruise',
  maxBandwidthBps: 10e6,
  minRttMs: 40,
  ...change,
});

test('a quantity is the sum over flows in each bin, events left out', async () => {
  const record = writeRecord(join(folder, 'sum'), {
    bbr3: [
      sample(startMs + 100, 1, { maxBandwidthBps: 10e6 }),
      sample(startMs + 600, 1, { maxBandwidthBps: 30e6 }),
      sample(startMs + 700, 2, { maxBandwidthBps: 5e6 }),
      { kind: 'event', timeMs: startMs + 800, port: 1, event: 'plateau', maxBandwidthBps: 99e6 },
      sample(startMs + 1500, 1, { maxBandwidthBps: 20e6 }),
      sample(startMs + 1500, 2, { maxBandwidthBps: 6e6 }),
    ],
  });
  const bins = await floodModel(record, 'maxBandwidthBps', 1000);
  assert.equal(bins.length, 10);
  assert.deepEqual(bins.slice(0, 3), [25e6, 26e6, null]);
});

test('a flow that begins later is missing nowhere; what is infinite is null', async () => {
  const record = writeRecord(join(folder, 'late'), {
    bbr3: [
      ...[0, 1, 2].map(s => sample(startMs + s * 1000 + 10, 1, { longTermInFlightPackets: 100 })),
      sample(startMs + 1010, 2, { longTermInFlightPackets: 50 }),
      sample(startMs + 2010, 2, { longTermInFlightPackets: null }),
    ],
  });
  assert.deepEqual((await floodModel(record, 'longTermInFlightPackets', 1000)).slice(0, 3), [100, 150, null]);
});

test('time in the window by state', async () => {
  const record = writeRecord(join(folder, 'states'), {
    bbr3: [
      sample(startMs - 100, 1, { state: 'startup' }),
      ...[1, 2, 3].map(s => sample(startMs + s, 1, {})),
      sample(startMs + 9, 1, { state: 'up' }),
      sample(endMs + 100, 1, { state: 'up' }),
    ],
  });
  const shares = Object.fromEntries((await stateShares(record)).map(({ state, ratio }) => [state, ratio]));
  assert.deepEqual([shares['cruise'], shares['up'], shares['startup'], shares['probe-rtt']], [0.75, 0.25, 0, 0]);
});

test('a flood that tells nothing has no model', async () => {
  const record = writeRecord(join(folder, 'none'), {});
  assert.deepEqual([await floodModel(record, 'pacingBps', 1000), await stateShares(record)], [[], []]);
});
