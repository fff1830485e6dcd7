/** Tables of links, and files of other programs that become tables: whole, or refused in one line. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CoexistError } from '../../core/errors.ts';
import { convert, convertedFormats } from '../../shaper/traces/convert/convert.ts';
import { kindOf, parseTable } from '../../shaper/traces/read-table.ts';
import { listsOf, type Table } from '../../shaper/traces/table.ts';
import { anyBytes, damaged } from './bytes.ts';
import { effort } from './effort.ts';

const seed = 51;

function whole({ rows, periodMs, facts }: Table): void {
  assert.ok(rows.length >= 2 && rows[0]!.atMs === 0 && rows.at(-1)!.atMs === periodMs);
  assert.ok(rows.every(({ atMs }, k) => k === 0 || atMs > rows[k - 1]!.atMs));
  assert.ok(facts.rate === null || (facts.rate.meanBps >= 64e3 && Number.isFinite(facts.rate.highestBps)));
  assert.ok(facts.outages === null || facts.outages.totalMs < periodMs);
}

/** Calls `use`, which may only refuse, in one line. */
function orRefused(use: () => void): void {
  try {
    use();
  } catch (error) {
    assert.ok(error instanceof CoexistError && error.code === 'bad-definition', String(error));
    assert.doesNotMatch(error.message, /[\n\r]/);
  }
}

const tables = [
  'time_s,rate_mbps,delay_ms,loss_percent,burst_packets,outage\n0,24,18,0,,0\n1.4,9,31,0.5,4,0\n2,,,,,1\n3,,,,,\n',
  '{"time_ms":0,"rate_kbps":500,"delay_linear_ms":3}\r\n{"time_ms":10,"rate_bps":0}\r\n{"time_ms":20,"outage":true}\n',
].map(text => Buffer.from(text));

test('tables', () => {
  fc.assert(
    fc.property(fc.oneof(damaged(tables), anyBytes(200)), bytes =>
      orRefused(() => {
        const kind = kindOf(bytes);
        if (kind === 'opportunities') return;
        const table = parseTable(bytes, 'x', kind);
        whole(table);
        const { rates, delays, losses } = listsOf(table, { times: 2, loop: true });
        for (const list of [rates, delays, losses]) assert.ok(list.length === 0 || list[0]!.atMs === 0);
      }),
    ),
    effort(seed, 2000),
  );
});

const others = [
  '1\n2\n2\n5\n',
  'time,mbps\n0,5\n1,3.5\n',
  '# mahimahi mm-link\n# base timestamp: 1000\n1001 # 1500\n1001 + 1500\n1003 - 1500 2\n1050 # 1500\n',
  '{"RepeatedBwPatternConfig":{"pattern":[{"StaticBwConfig":{"bw":"12Mbps","duration":"1s"}}],"count":2}}',
  '{"intervals":[{"sum":{"start":0,"end":1,"bits_per_second":5e6}},{"sum":{"start":1,"end":2,"bits_per_second":7e6}}]}',
].map(text => Buffer.from(text));

test('files of other programs, by their content and by any name of a format', () => {
  fc.assert(
    fc.property(
      fc.oneof(damaged(others), anyBytes(200)),
      fc.option(fc.constantFrom(...convertedFormats), { nil: undefined }),
      (bytes, from) => orRefused(() => whole(convert(bytes, { name: 'x', from, everyMs: 100 }).table)),
    ),
    effort(seed, 2000),
  );
});
