/**
 * Reports on a study whose subject is not a call: its goodput is in sentence, tables and figures, and no dash replaces
 * it.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { temporaryFolder } from '../../harness/support/folder.ts';
import { planOf } from '../../harness/support/plan.ts';
import { endMs, every, presentedAt, startMs } from '../../harness/support/record.ts';
import { chartsOf, parsePage, renderRun } from '../support/run.ts';

const folder = temporaryFolder();
const alone = { service: { id: 'tcp' }, flood: { id: 'none' } };

/** A transfer at this rate, bit/s, without frames and without a browser's counters. */
const transfer = (bps: number) => ({
  series: {
    'frames.presented': [],
    stats: [],
    service: every(1000, startMs, endMs).map(timeMs => ({
      timeMs,
      kind: 'transfer',
      receivedBytes: ((timeMs - startMs) * bps) / 8000,
      flows: 1,
    })),
  },
});

async function told(name: string, change: object, rates: readonly number[]) {
  const plan = planOf({ ...alone, run: { window: '10s', repeats: 1 }, ...change });
  const { page, lines, summary } = await renderRun(folder, name, plan, rates.map(transfer));
  const document = parsePage(page);
  const text = (of: string) => document.querySelector(of)?.textContent.replaceAll(/\s+/g, ' ') ?? '';
  const headsOf = (of: string) => [...document.querySelectorAll(`${of} th`)].map(head => head.textContent.trim());
  return { page, lines, summary, text, headsOf };
}

test('sentence, table and figures have the goodput', async () => {
  const { page, lines, text, headsOf } = await told('alone', {}, [6e6]);
  assert.match(lines[0]!, /goodput 6\.00 Mbit\/s, mean round-trip time 20\.0 ms\./);
  assert.match(text('#verdict ul.verdict'), /goodput 6\.00 Mbit\/s/);
  assert.ok(headsOf('#numbers').includes('Goodput'));
  assert.ok(!headsOf('#numbers').includes('Bitrate'));
  assert.match(text('#numbers'), /6\.00 Mbit\/s/);
  assert.match(text('#table-1'), /Goodput ?6\.00 Mbit\/s/);
  assert.doesNotMatch(text('#table-1'), /Frame rate|Stalls/);
  assert.doesNotMatch(text('#numbers'), /stall|presented frames/i);
  assert.equal(text('#frame-rate-series'), '', 'a service without frames has no rate of 0');
  assert.match(text('#overview'), /Goodput/);
  assert.match(text('#trial-table'), /Goodput.*6\.00 Mbit\/s/);
  const [goodput] = chartsOf(page).filter(({ title }) => /^Goodput of the tcp over time/.test(title));
  assert.deepEqual(goodput!.lines[0]!.label, 'the tcp');
  assert.deepEqual([...new Set(goodput!.lines[0]!.values)], [6]);
});

test('a change of the goodput is tested and told', async () => {
  const { text, summary } = await told(
    'changed',
    {
      conditions: { deep: { title: 'Deep' }, shallow: { title: 'Shallow', link: { queue: { limit: '10packets' } } } },
      run: { window: '10s', repeats: 6 },
    },
    [0, 1, 2, 3, 4, 5].flatMap(i => [6e6 + 1e4 * i, 4e6 - 2e4 * i]),
  );
  assert.match(text('#verdict ul.verdict'), /Shallow: goodput 3\.95 Mbit\/s, .*; lower goodput than Deep\./);
  assert.equal(summary.comparisons[0]!.tests['goodput']!.among, 1);
  assert.match(text('#differences'), /Goodput/);
  assert.doesNotMatch(text('#differences'), /Bitrate|Stalled|Frame/);
  assert.match(text('#comparisons'), /of 4 primary metrics/);
  assert.match(text('#tries'), /Goodput valid trials/);
});

test('in a study of a call nothing of it is shown', async () => {
  const plan = planOf({ run: { window: '10s' } });
  const { page } = await renderRun(folder, 'call', plan, [
    { series: { 'frames.presented': presentedAt(every(20, startMs - 1000, endMs)) } },
  ]);
  const text = parsePage(page).querySelector('#table-1')!.textContent.replaceAll(/\s+/g, ' ');
  assert.match(text, /Goodput ?1\.00 Mbit\/s ?Goodput \(flood\) ?37\.00 Mbit\/s/);
  assert.match(parsePage(page).querySelector('#numbers')!.textContent, /Bitrate/);
});
