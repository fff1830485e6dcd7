import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { convert } from '../../../../shaper/traces/convert/convert.ts';
import { parseTrace } from '../../../../shaper/traces/opportunities.ts';
import { kindOf, parseTable } from '../../../../shaper/traces/read-table.ts';
import { type TableRow, tableOf } from '../../../../shaper/traces/table.ts';
import { tableText } from '../../../../shaper/traces/write-table.ts';

const converted = (text: string, from?: string) => convert(Buffer.from(text), { name: 'file', from, everyMs: 100 });
const ratesOf = (rows: readonly TableRow[]) => rows.map(({ atMs, rateBps }) => [atMs, rateBps! / 1e6]);

test('mahimahi: the twin of a trace carries the same in each bin', () => {
  // 12 Mbit/s for 1 s, then 6 Mbit/s for 0.95 s
  const times = [
    ...Array.from({ length: 1000 }, (_, k) => k + 1),
    ...Array.from({ length: 475 }, (_, k) => 1000 + 2 * (k + 1)),
  ];
  const text = times.join('\r\n');
  const { format, table, assumed } = converted(text);
  assert.equal(format, 'mahimahi');
  const rates = ratesOf(table.rows);
  assert.deepEqual(
    [rates[0], rates[9], rates[10], rates[19]],
    [
      [0, 12],
      [900, 12],
      [1000, 6],
      [1900, 6],
    ],
  );
  const { facts } = parseTrace(Buffer.from(text), 'file');
  assert.ok(Math.abs(table.facts.rate!.meanBps / facts.meanRateBps - 1) < 1e-6);
  assert.equal(table.periodMs, facts.periodMs);
  assert.match(assumed.join(), /single opportunities and shorter pauses are lost/);
});

describe('rates by the second', () => {
  const cases: [what: string, text: string, rates: [number, number][]][] = [
    [
      'a rate on each line',
      '5.5\n3\n',
      [
        [0, 5.5],
        [1000, 3],
        [2000, 3],
      ],
    ],
    [
      'times and rates with a header',
      'time,mbps\n0,5\n1,3.5\n',
      [
        [0, 5],
        [1000, 3.5],
        [2000, 3.5],
      ],
    ],
    [
      'times since 1970, with tabs',
      '1700000000\t5\n1700000002\t3\n',
      [
        [0, 5],
        [2000, 3],
        [4000, 3],
      ],
    ],
  ];
  for (const [what, text, rates] of cases)
    test(what, () => {
      const { format, table, assumed } = converted(text);
      assert.equal(format, 'mbps');
      assert.deepEqual(ratesOf(table.rows), rates);
      assert.match(assumed.join(), /a mean is the rate of its whole time/);
    });
});

test('logs of mm-link: opportunities are the link, or deliveries where there are none', () => {
  const head = '# mahimahi mm-link (downlink) [x] > y\n# base timestamp: 1000\n';
  const lines = Array.from({ length: 200 }, (_, k) => `${1001 + k} # 1500\n${1001 + k} + 1500\n${1001 + k} - 1500 7\n`);
  const link = converted(head + lines.join(''));
  assert.equal(link.format, 'pantheon');
  assert.deepEqual(ratesOf(link.table.rows), [
    [0, 12],
    [100, 12],
    [200, 12],
  ]);
  assert.match(link.assumed.join(), /its opportunities are the link.*7 ms and more/);
  const tunnel = converted(`# base timestamp: 1000\n${lines.map(line => line.split('\n')[2]).join('\n')}\n`);
  assert.deepEqual(ratesOf(tunnel.table.rows), [
    [0, 12],
    [100, 12],
    [200, 12],
  ]);
  assert.match(tunnel.assumed.join(), /too low where the sender did not fill it/);
});

test('lists of netem-trace, with values as text and as objects', () => {
  const list = (pattern: unknown[], count: number) => JSON.stringify({ RepeatedBwPatternConfig: { pattern, count } });
  const text = list(
    [
      { StaticBwConfig: { bw: '12Mbps', duration: '1s' } },
      { StaticBwConfig: { bw: { gbps: 0, bps: 24_000_000 }, duration: { secs: 0, nanos: 500_000_000 } } },
    ],
    2,
  );
  const { format, table } = converted(text);
  assert.equal(format, 'rattan');
  assert.deepEqual(ratesOf(table.rows), [
    [0, 12],
    [1000, 24],
    [1500, 12],
    [2500, 24],
    [3000, 24],
  ]);
  const delay = converted('{"StaticDelayConfig":{"delay":"12ms","duration":"1s 500ms"}}').table;
  assert.deepEqual([delay.rows[0]!.delayMs, delay.periodMs], [12, 1500]);
  const loss = converted('{"StaticLossConfig":{"loss":[0.1],"duration":"1s"}}').table;
  assert.equal(loss.facts.lossRatio, 0.1);
});

test('iperf3: the goodput of its intervals, without those that it omitted', () => {
  const sum = (start: number, mbps: number, omitted = false) => ({
    sum: { start, end: start + 1, bits_per_second: mbps * 1e6, omitted, seconds: 1 },
  });
  const { format, table, assumed } = converted(
    JSON.stringify({ start: {}, intervals: [sum(0, 99, true), sum(1, 20), sum(2, 10)], end: {} }),
  );
  assert.equal(format, 'iperf3');
  assert.deepEqual(ratesOf(table.rows), [
    [0, 20],
    [1000, 10],
    [2000, 10],
  ]);
  assert.match(assumed.join(), /goodput is the rate of the link/);
});

test('what is no file of another program is refused in one line', () => {
  const refused = (text: string, message: RegExp, from?: string) =>
    assert.throws(() => converted(text, from), { code: 'bad-definition', message }, text);
  refused('', /file is in none of the formats iperf3, rattan, pantheon, mahimahi, mbps/);
  refused('hello\n', /is in none of the formats/);
  refused('5\nx\n', /, line 2: "x" is no rate/, 'mbps');
  refused('1,2,3\n', /3 values/, 'mbps');
  refused('0\n0\n', /lasts no time/, 'mahimahi');
  refused('0,0\n1,0\n', /has a mean rate of 0 bit\/s/);
  refused('5,1\n4,1\n', /is at -1000 ms, not after 0 ms/, 'mbps');
  refused('{"intervals":[]}', /has no intervals/);
  refused('{"intervals":5}', /is no output of "iperf3 --json"/);
  refused('{"StaticBwConfig":{"bw":"fast","duration":"1s"}}', /"fast" has no known unit/);
  refused('{"NormalizedBwConfig":{"mean":"12Mbps"}}', /has NormalizedBwConfig; only static values/);
  refused('{"StaticLossConfig":{"loss":[0.1,0.2],"duration":"1s"}}', /a loss that depends on the losses before it/);
  refused('# base timestamp: 1\nx\n', /, line 2: "x" is no record of mm-link/);
  refused('# base timestamp: 1\n', /has no opportunity and no delivery/);
  assert.throws(() => converted('5\n', 'csv'), { code: 'usage', message: /--from csv: there is no such format/ });
});

test('a table that is written reads back as it was', () => {
  const table = tableOf(
    [
      { atMs: 0, rateBps: 12_345_678, delayMs: 1.25, lossRatio: 0.01, burstPackets: 3, outage: false },
      { atMs: 10, rateBps: 5e6, outage: true },
      { atMs: 12.5, rateBps: 5e6, lossRatio: 0, outage: false },
      { atMs: 20, delayMs: 2 },
    ],
    { name: 'x' },
  );
  const text = tableText(table, ['one\ntwo']);
  assert.match(
    text,
    /^# one two\ntime_ms,rate_mbps,delay_ms,loss_ratio,burst_packets,outage\n0,12\.345678,1\.25,0\.01,3,0\n10,5,,,,1\n/,
  );
  assert.equal(kindOf(Buffer.from(text)), 'csv');
  assert.deepEqual(parseTable(Buffer.from(text), 'x', 'csv'), table);
});
