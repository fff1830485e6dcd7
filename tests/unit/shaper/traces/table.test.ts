import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { plainLink } from '../../../../core/vocabulary/link.ts';
import { describeTable } from '../../../../core/vocabulary/trace-facts.ts';
import { loadTrace, tracesOf } from '../../../../shaper/traces/load.ts';
import { kindOf, parseTable } from '../../../../shaper/traces/read-table.ts';
import { listsOf, mostRows } from '../../../../shaper/traces/table.ts';
import { temporaryFolder } from '../../harness/support/folder.ts';

const parsed = (text: string | Uint8Array) => {
  const bytes = Buffer.from(text as string);
  const kind = kindOf(bytes);
  assert.notEqual(kind, 'opportunities');
  return parseTable(bytes, 'file', kind as 'csv' | 'json');
};

const all = `# a cell
time_s,rate_mbps,delay_ms,loss_percent,burst_packets,outage
0,20,10,0,1,0
1.5,10,30,1,4,0
2,,,,,1
2.25,,20,,,0
3,,,,,
`;

test('one file gives rate, delay, loss and outages; an empty cell keeps the value before it', () => {
  const { rows, periodMs, facts } = parsed(all);
  assert.equal(periodMs, 3000);
  assert.deepEqual(rows[3], {
    atMs: 2250,
    rateBps: 10e6,
    delayMs: 20,
    lossRatio: 0.01,
    burstPackets: 4,
    outage: false,
  });
  // (1.5 s of 20 Mbit/s + 1.25 s of 10 Mbit/s) / 3 s
  assert.equal(facts.rate!.meanBps, 42.5e6 / 3);
  assert.deepEqual(facts.outages, { count: 1, longestMs: 250, totalMs: 250 });
  assert.equal(
    describeTable(facts),
    '3 s long, 0 bit/s to 20 Mbit/s (mean 14.2 Mbit/s), delay 10 ms to 30 ms (mean 17.5 ms), loss 0.5 %, ' +
      '1 outage, the longest 250 ms',
  );
});

test('a rate or delay that stays the same is one value', () => {
  const { facts } = parsed('time_s,rate_mbps,delay_ms\n0,10,5\n9,,\n');
  assert.equal(describeTable(facts), '9 s long, 10 Mbit/s, delay 5 ms');
});

test('the example of the documents is a table', () => {
  const example = /```csv\n([^]*?)```/.exec(
    readFileSync(new URL('../../../../docs/links.md', import.meta.url), 'utf8'),
  );
  const { facts, rows } = parsed(example![1]!);
  assert.deepEqual(facts.outages, { count: 1, longestMs: 600, totalMs: 600 });
  assert.deepEqual([rows[0]!.burstPackets, rows[0]!.outage], [1, false]);
});

test('JSON lines say the same as CSV, and so do the lines of Windows', () => {
  const lines = [
    { time_ms: 0, rate_kbps: 20_000, delay_ms: 10, loss_ratio: 0, burst_packets: 1, outage: false },
    { time_ms: 1500, rate_bps: 10e6, delay_ms: 30, loss_ratio: 0.01, burst_packets: 4 },
    { time_ms: 2000, outage: true },
    { time_ms: 2250, delay_ms: 20, outage: 0 },
    { time_ms: 3000 },
  ];
  const expected = parsed(all);
  assert.deepEqual(parsed(lines.map(line => JSON.stringify(line)).join('\n')), expected);
  assert.deepEqual(parsed(all.replaceAll('\n', '\r\n')), expected);
  assert.deepEqual(parsed(Buffer.from(`\ufeff${all}`, 'utf16le')), expected);
});

test('the lists of the emulator hold changes only, and a line leads to the last row', () => {
  const table = parsed('time_s,delay_linear_ms,rate_mbps\n0,10,5\n1,20,5\n2,10,\n');
  assert.deepEqual(listsOf(table, { times: 2, loop: true }), {
    rates: [{ atMs: 0, rateBps: 10e6, suspended: false }],
    delays: [
      { atMs: 0, delayMs: 10 },
      { atMs: 1000, delayMs: 20 },
      { atMs: 2000, delayMs: 10 },
    ],
    losses: [],
  });
  const outages = parsed('time_s,outage\n0,0\n1,1\n1.2,0\n15,0\n');
  assert.deepEqual(listsOf(outages, { times: 1, loop: true }).rates, [
    { atMs: 0, rateBps: null, suspended: false },
    { atMs: 1000, rateBps: null, suspended: true },
    { atMs: 1200, rateBps: null, suspended: false },
  ]);
});

test('what is no table is refused with its line and its mistake', () => {
  const refused = (text: string, message: RegExp) =>
    assert.throws(() => parsed(text), { code: 'bad-definition', message }, text);
  refused('time_s,rate_mbps\n', /file has no row/);
  refused('time_s,rate_mbps\n0,5\n', /file has one row; the last row is the end/);
  refused(
    'tme_s,rate_mbps\n0,5\n',
    /line 1: there is no column "tme_s" \(did you mean time_s\?\)|line 1: there is no column "tme_s"/,
  );
  refused('rate_mbps,delay_ms\n0,5\n', /line 1: there is no column time_s or time_ms/);
  refused('time_s,time_ms\n0,0\n', /line 1: two columns have one meaning/);
  refused('time_s,rate_mbps\n0\n', /line 2: 1 cells, and the header has 2/);
  refused('time_s,rate_mbps\n0,5\n1,fast\n', /line 3: "fast" is no number \(rate_mbps\)/);
  refused('time_s,rate_mbps\n1,5\n2,5\n', /line 2 is at 1000 ms; the first row is at 0/);
  refused('time_s,rate_mbps\n0,5\n2,5\n1,5\n', /line 4 is at 1000 ms, not after 2000 ms/);
  refused('time_s,rate_mbps\n0,5\n2,-5\n', /line 3 has a rate of -5000000 bit\/s/);
  refused('time_s,rate_mbps\n0,0\n2,0\n', /has a mean rate of 0 bit\/s/);
  refused('time_s,outage\n0,1\n2,1\n', /lets nothing pass at any time/);
  refused('time_s,delay_ms\n0,\n2,5\n', /line 2 has no delay, which later rows have/);
  refused('time_s,delay_ms\n0,10001\n2,5\n', /line 2 has a delay of 10001 ms/);
  refused('time_s,loss_percent\n0,95\n2,5\n', /line 2 has a loss of 0\.95/);
  refused('time_s,loss_ratio,burst_packets\n0,0.9,2\n2,0,1\n', /line 2 has a loss of 0\.9, which takes longer bursts/);
  refused('time_s,outage\n0,0\n1,2\n2,0\n', /line 3: outage is 0 or 1, not 2/);
  refused('time_s,delay_ms,delay_linear_ms\n0,1,1\n', /line 1: two columns have one meaning/);
  refused('{"time_s":0,"rate":5}\n', /line 1: there is no column "rate"/);
  refused('{"time_s":0,"delay_ms":1}\n{"time_s":1,"delay_linear_ms":1}\n', /line 2: a table has delay_ms or delay_l/);
  refused('{"time_s":0\n', /line 1 is not JSON/);
  refused('time_s\n0\n1\n', /has times and no values/);
  refused(`time_ms,delay_ms\n${'0,1\n'.repeat(mostRows + 1)}`, /has more than 1048576 rows/);
});

test('a link follows opportunities and a table together, and nothing twice', () => {
  const folder = temporaryFolder();
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const mahimahi = file('cell.trace', '1\n2\n3\n');
  const delay = file('delay.csv', 'time_s,delay_ms\n0,5\n1,5\n');
  const rate = file('rate.csv', 'time_s,rate_mbps\n0,5\n1,5\n');
  const loss = file('loss.csv', 'time_s,loss_percent\n0,5\n1,5\n');
  const ends = file('ends.csv', 'time_s,outage\n0,0\n1,1\n');
  const play = (files: string[], rest: object = {}) => ({
    files,
    make: null,
    startAtMs: 0,
    times: 1,
    loop: true,
    ...rest,
  });
  const both = loadTrace(play([delay, mahimahi]), 'down');
  assert.deepEqual([both.opportunities?.facts.opportunities, both.table?.facts.rows], [3, 2]);
  const refused = (trace: Parameters<typeof loadTrace>[0], message: RegExp) =>
    assert.throws(() => loadTrace(trace, 'down'), { code: 'bad-definition', message });
  refused(play([rate, delay]), /are two tables/);
  refused(play([mahimahi, mahimahi]), /are two traces of opportunities/);
  refused(play([mahimahi, rate]), /give the rate twice/);
  refused(play([mahimahi], { loop: false }), /cannot be played once/);
  refused(play([ends], { loop: false }), /ends in an outage/);
  refused(play([delay], { startAtMs: 1000 }), /startAt is 1000 ms, and trace delay\.csv is 1000 ms long/);
  refused(
    { ...play([]), make: { id: 'warp', seed: 1, lengthMs: 1e4 } },
    /link\.trace\.make: there is no generator "warp"/,
  );
  const link = plainLink(10e6, { unit: 'packets', value: 100 });
  const lossy = { kind: 'independent', ratio: 0.1, where: 'before' } as const;
  assert.equal(tracesOf([{ ...link, trace: loss }]).size, 1);
  assert.throws(() => tracesOf([{ ...link, trace: loss, loss: lossy }]), {
    message: /has random loss, and so has link/,
  });
});
