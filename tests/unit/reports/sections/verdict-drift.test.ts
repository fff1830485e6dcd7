import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plugin as verdictSection } from '../../../../reports/sections/verdict/index.ts';
import { planOf } from '../../harness/support/plan.ts';
import { endMs, every, startMs, stats } from '../../harness/support/record.ts';
import { renderSections } from '../support/report-data.ts';
import { conditions, parsePage } from '../support/run.ts';

const middleMs = (startMs + endMs) / 2;

/** Series of a trial with these rates in the two halves of the window, bit/s, and no frames. */
const halves = (first: number, second: number) => ({
  series: {
    'frames.presented': [],
    stats: every(1000, startMs, endMs).map(time => ({
      ...stats(time, {
        bytesReceived: (first * (Math.min(time, middleMs) - startMs) + second * Math.max(0, time - middleMs)) / 8000,
      }),
      framesDecoded: undefined,
    })),
  },
});

async function noteOf(repeats: number, second: (repeat: number) => number) {
  const plan = planOf({ conditions: { alone: conditions.alone }, run: { window: '10s', repeats } });
  const made = Array.from({ length: repeats }, (_, i) => halves(4e6, second(i)));
  const { page, summary } = await renderSections([verdictSection], plan, made);
  return {
    drift: summary.conditions[0]!.metrics['goodput-drift']!,
    note: parsePage(page).querySelector('#not-settled')?.textContent.replace(/\s+/g, ' ') ?? null,
  };
}

test('a rate that still falls at the end of the window is said to, with second half minus first half', async () => {
  const { drift, note } = await noteOf(6, i => 2e6 + 1e4 * i);
  assert.ok(Math.abs(drift.value! + 1.975e6) < 1e3, String(drift.value));
  assert.match(
    note!,
    /^Not settled: Alone: goodput still falling at the end \(\u22121\.9[78] Mbit\/s \[\u22122\.00, \u22121\.95\]\)\./,
  );
  assert.match((await noteOf(6, () => 6e6)).note!, /goodput still rising at the end \(\+2\.00 Mbit/);
});

test('with too few trials for an interval only what all trials did is said', async () => {
  assert.match((await noteOf(3, i => 2e6 + 1e4 * i)).note!, /Alone: goodput lower in the second half in all 3 trials /);
});

test('a rate that stays, changes little, or changes to both sides is settled', async () => {
  assert.equal((await noteOf(6, () => 4e6)).note, null);
  assert.equal((await noteOf(6, () => 4.2e6)).note, null);
  assert.equal((await noteOf(6, i => (i % 2 === 0 ? 2e6 : 6e6))).note, null);
});
