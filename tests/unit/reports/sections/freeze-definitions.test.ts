import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plugin as freezeDefinitionsSection } from '../../../../reports/sections/freeze-definitions/index.ts';
import { planOf } from '../../harness/support/plan.ts';
import { endMs, startMs, stats } from '../../harness/support/record.ts';
import { renderSections } from '../support/report-data.ts';
import { conditions, type Made, parsePage } from '../support/run.ts';

/** Chromium's counters at both ends of the window. */
const counted = (freezeCount: number) => ({
  stats: [
    stats(startMs, { freezeCount: 0, totalFreezesDuration: 0, pauseCount: 0, totalPausesDuration: 0 }),
    stats(endMs, { freezeCount, totalFreezesDuration: 0.3 * freezeCount, pauseCount: 0, totalPausesDuration: 0 }),
  ],
});

async function section(made: Made[], change: object = {}) {
  const plan = planOf({
    conditions: { alone: conditions.alone },
    run: { window: '10s', repeats: made.length },
    ...change,
  });
  const { page } = await renderSections([freezeDefinitionsSection], plan, made);
  const found = parsePage(page).querySelector('#freeze-definitions')!;
  return {
    text: found.textContent.replace(/\s+/g, ' '),
    rows: [...found.querySelectorAll('tbody tr')].map(row => row.textContent.replace(/\s+/g, ' ').trim()),
  };
}

test('every definition has its row, from one run', async () => {
  const { rows, text } = await section([{ stallMs: 300, series: counted(1) }]);
  assert.equal(rows.length, 6);
  assert.match(text, /The threshold of this study is 100 ms, the default; a study sets its own by measure\.stall\./);
  assert.match(rows[0]!, /^Stall \(Juntima et al\.\): more than 200 ms without a frame ?1 ?0\.30 s/);
  assert.match(rows[1]!, /^This study: more than 100 ms ?1 ?0\.30 s/);
  assert.match(rows[2]!, /^W3C freeze: .* ?1 ?0\.30 s/);
  assert.match(rows[3]!, /^W3C pause: more than 5 s ?0 ?0\.00 s/);
  assert.match(rows[4]!, /^Freezes by Chromium's counter ?1 ?0\.30 s/);
});

test("the study's threshold is its own", async () => {
  const { rows, text } = await section([{ stallMs: 300, series: counted(1) }], { measure: { stall: '400ms' } });
  assert.match(rows[1]!, /^This study: more than 400 ms \(measure\.stall\) ?0 ?0\.00 s/);
  assert.match(text, /The threshold of this study is 400 ms \(measure\.stall\)\./);
});

test('why Chromium counts fewer is said with numbers', async () => {
  const { text } = await section([
    { stallMs: 172, series: counted(0) },
    { stallMs: 300, series: counted(1) },
  ]);
  assert.match(
    text,
    /Alone: 2 W3C freezes by presentation times in all trials; Chromium's rule counts 1 of them and leaves out 1 because its mean includes the freeze itself\. Chromium reports 1\./,
  );
});

test('a rest that its rule does not explain is said to be one', async () => {
  const { text } = await section([{ stallMs: 300, series: counted(3) }]);
  assert.match(text, /Chromium reports 3: 2 more; it judges the time of decoding/);
});

test('without a freeze on either side there is nothing to explain', async () => {
  assert.match(
    (await section([{ series: counted(0) }])).text,
    /Alone: no freeze by presentation times and none by Chromium's counter\./,
  );
});
