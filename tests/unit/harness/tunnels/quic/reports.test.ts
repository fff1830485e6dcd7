import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReportSeries, readReport } from '../../../../../harness/tunnels/quic/reports.ts';
import { endReport } from './support.ts';

const line = (change: object = {}) => JSON.stringify(endReport(change));

test('a report becomes a record of its end, with what was acknowledged since the one before', () => {
  const series = new ReportSeries('server');
  const first = series.take(line({ timeMs: 1000, ackedBytes: 10_000 }))!;
  assert.deepEqual([first.end, first.timeMs, first.deliveryBps], ['server', 1000, null]);
  const second = series.take(line({ timeMs: 1200, ackedBytes: 60_000, lostPackets: 3 }))!;
  assert.deepEqual([second.deliveryBps, second.lostPackets], [2e6, 3]);
  assert.ok(!('state' in second) && !('stack' in second), 'words are facts, not a series');
  assert.equal(series.last!.state, 'connected');
});

test('what a stack does not tell stays unknown, and a window without a limit is none', () => {
  const series = new ReportSeries('client');
  series.take(line({ timeMs: 1000, ackedBytes: null }));
  const record = series.take(
    line({ timeMs: 1200, ackedBytes: null, pacingBps: null, congestionWindowBytes: 2 ** 40 }),
  )!;
  assert.deepEqual(
    [record.deliveryBps, record.ackedBytes, record.pacingBps, record.congestionWindowBytes],
    [null, null, null, null],
  );
});

test('an end without a connection has nothing to record', () => {
  assert.equal(readReport('{"timeMs":5.5,"state":"waiting"}'), null);
  assert.equal(new ReportSeries('server').take('{"timeMs":5.5,"state":"waiting"}'), null);
});

test('what is no report is refused with what it is', () => {
  const refused = (text: string, message: RegExp) =>
    assert.throws(() => readReport(text), { code: 'service-failed', message });
  refused('thread panicked', /told "thread panicked", which is not JSON/);
  refused(line({ rttMs: 'fast' }), /what the tunnel's end tells: rttMs/);
  refused(line({ sentBytes: -1 }), /sentBytes/);
  refused(line({ more: 1 }), /more/);
});
