import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plugin as verdictSection } from '../../../../reports/sections/verdict/index.ts';
import { planOf } from '../../harness/support/plan.ts';
import { endMs, every, startMs } from '../../harness/support/record.ts';
import { renderSections } from '../support/report-data.ts';
import { conditions, parsePage } from '../support/run.ts';

/** A trial whose round trip is 150 ms for this long, and 1 ms else. */
const late = (lengthMs: number) => ({
  series: {
    'frames.presented': [],
    ping: every(200, startMs, endMs).map((timeMs, sequence) => ({
      timeMs,
      sequence,
      rttMs: timeMs >= startMs + 2000 && timeMs <= startMs + 2000 + lengthMs ? 150 : 1,
    })),
  },
});

async function noteOf(...lengthsMs: number[]) {
  const plan = planOf({ conditions: { alone: conditions.alone }, run: { window: '10s', repeats: lengthsMs.length } });
  const { page } = await renderSections([verdictSection], plan, lengthsMs.map(late));
  const document = parsePage(page);
  const words = (text: string) => text.replace(/\s+/g, ' ').trim();
  return {
    note: words(document.querySelector('#rare')?.textContent ?? ''),
    row: words(document.querySelector('#numbers tbody tr')!.textContent),
  };
}

test('an excursion of a second in half of the trials or fewer is told, because no median shows it', async () => {
  const { note, row } = await noteOf(2400, 0);
  assert.match(
    note,
    /^Rare, and in no median: Alone: in 1 of 2 trials the round trip exceeded 100\.0 ms for over a second, at most 2\.40 s\.$/,
  );
  assert.match(row, /150\.0 ms$/, 'the table has the largest 95th percentile of any trial');
});

test('a short excursion is not told, and one of most trials is in the medians', async () => {
  assert.equal((await noteOf(600, 0)).note, '');
  assert.equal((await noteOf(3000, 3000, 0)).note, '');
  assert.equal((await noteOf(0, 0)).note, '');
});
