import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathOf } from '../../../../../core/vocabulary/link.ts';
import { plugin } from '../../../../../harness/analysis/metrics/round-trip/index.ts';
import { compute } from '../../../../../harness/analysis/summary/compute.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { endMs, startMs, writeRecord } from '../../support/record.ts';

const folder = temporaryFolder();

test("the probes of the window, and the media's own reports", async () => {
  const ping = (sequence: number, rttMs: number | null) => ({ timeMs: startMs + 200 * sequence, sequence, rttMs });
  const report = (timeMs: number, rttMs: number, from: string) => ({ timeMs, rttMs, from });
  const record = writeRecord(join(folder, 'a'), {
    ping: [
      { timeMs: startMs - 1, sequence: 0, rttMs: 500 },
      ping(1, 30),
      ping(2, 10),
      ping(3, null),
      ping(4, 20),
      ping(5, 40),
      ping(6, 100),
    ],
    rtt: [
      report(startMs - 1, 900, 'report'),
      report(startMs, 21, 'report'),
      report(startMs + 5, 500, 'feedback'),
      report(startMs + 9, 23, 'report'),
      report(endMs, 900, 'report'),
    ],
  });
  const { 'rtt-p95': p95, ...others } = await compute(plugin, record);
  assert.deepEqual(others, {
    'rtt-mean': (10 + 20 + 30 + 40 + 100) / 5,
    'rtt-median': 30,
    'rtt-max': 100,
    'rtt-excursion': 0,
    'ping-loss': 1 / 6,
    'rtcp-rtt-median': 22,
  });
  // 95 % of the way from the first of five values to the last is 3.8 steps
  assert.equal(p95!.toFixed(9), (40 + (100 - 40) * 0.8).toFixed(9));
});

test('probes that were all lost have a loss and no round trip', async () => {
  assert.deepEqual(
    await compute(plugin, writeRecord(join(folder, 'lost'), { ping: [{ timeMs: startMs, sequence: 1, rttMs: null }] })),
    {
      'rtt-mean': null,
      'rtt-median': null,
      'rtt-p95': null,
      'rtt-max': null,
      'rtt-excursion': null,
      'ping-loss': 1,
      'rtcp-rtt-median': null,
    },
  );
});

test('an excursion lasts from the first to the last probe in a row that is too late; lost probes do not end it', async () => {
  const rtts = [120, 10, 110, null, 130, 150, 20, 101, 101];
  const record = writeRecord(join(folder, 'excursion'), {
    ping: [
      { timeMs: startMs - 400, sequence: 0, rttMs: 300 },
      ...rtts.map((rttMs, i) => ({ timeMs: startMs + 200 * i, sequence: i + 1, rttMs })),
    ],
  });
  assert.equal((await compute(plugin, record))['rtt-excursion'], 0.6);
  const far = { ...record.link, paths: { service: { ...pathOf(record.link.paths, 'service'), rttMs: 45 } } };
  record.file.condition.link = far;
  assert.equal((await compute(plugin, record))['rtt-excursion'], 0, '45 ms of the path do not count: only 150 is over');
});
