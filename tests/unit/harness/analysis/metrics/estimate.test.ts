import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { plugin } from '../../../../../harness/analysis/metrics/estimate/index.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { endMs, startMs, writeRecord } from '../../support/record.ts';

const folder = temporaryFolder();
const estimate = async (name: string, series: Record<string, readonly object[]>) =>
  (await plugin.compute(writeRecord(join(folder, name), series)))['estimate-mean'];
const state = (timeMs: number, values: object) => ({ timeMs, inFlightBytes: 0, ...values });

test("the controller's own estimate inside the window, its target where it has none", async () => {
  assert.equal(
    await estimate('own', {
      controller: [
        state(startMs - 1, { estimateBps: 9e9 }),
        state(startMs, { estimateBps: 1e6, targetBps: 5e6 }),
        state(endMs, { estimateBps: 3e6 }),
        state(endMs + 1, { estimateBps: 9e9 }),
      ],
    }),
    2e6,
  );
  assert.equal(
    await estimate('target', { controller: [state(startMs, { targetBps: 1e6 }), state(endMs, { targetBps: 2e6 })] }),
    1.5e6,
  );
});

test('the shortest round trip, where the controller knows one', async () => {
  const lines = [{ minRttMs: 0 }, { minRttMs: 50 }, { minRttMs: 60 }, { estimateBps: 1 }].map((values, i) =>
    state(startMs + i, values),
  );
  const record = writeRecord(join(folder, 'rtt'), { controller: [state(startMs - 1, { minRttMs: 500 }), ...lines] });
  assert.equal((await plugin.compute(record))['min-rtt-estimate'], 55);
  assert.equal(
    (await plugin.compute(writeRecord(join(folder, 'no-rtt'), { controller: [state(startMs, { targetBps: 1 })] })))[
      'min-rtt-estimate'
    ],
    null,
  );
});

test('what a sending browser says is available', async () => {
  const caller = (timeMs: number, candidatePair: object | null) => ({
    timeMs,
    outbound: null,
    candidatePair,
    remoteInbound: null,
    cpuLimitedS: 0,
    mainThreadDelayMaxMs: 1,
    visible: true,
  });
  assert.equal(
    await estimate('call', {
      caller: [
        caller(startMs, { availableOutgoingBitrate: 4e6 }),
        caller(startMs + 1000, {}),
        caller(endMs, { availableOutgoingBitrate: 2e6 }),
      ],
    }),
    3e6,
  );
});

test('without either there is none', async () => assert.equal(await estimate('none', {}), null));
