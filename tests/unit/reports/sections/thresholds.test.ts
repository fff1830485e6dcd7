import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plugin as thresholdsSection } from '../../../../reports/judged/thresholds/index.ts';
import { planOf } from '../../harness/support/plan.ts';
import { renderSections } from '../support/report-data.ts';
import { conditions, parsePage } from '../support/run.ts';

test('each threshold has a row with what was measured and whether it was kept', async () => {
  const require = [
    { metric: 'stall-time', condition: 'wired', atMost: '400ms' },
    { metric: 'frame-rate', atLeast: '25fps', judge: 'interval' },
  ];
  const { page, summary } = await renderSections(
    [thresholdsSection],
    planOf({ conditions, require, run: { window: '10s' } }),
    [{}, { stallMs: 450 }, {}],
  );
  const section = parsePage(page).querySelector('#thresholds')!;
  assert.match(section.textContent, /4 of 4 missed\./);
  const rows = [...section.querySelectorAll('tbody tr')].map(row => row.textContent.replace(/\s+/g, ' ').trim());
  assert.match(rows[0]!, /Stalled time ?Wired at most 0\.40 s 0\.45 s ?1 missed/);
  assert.match(rows[1]!, /Alone at least 25\.0 fps ?by the whole interval 50\.0 fps ?1 missed ?too few trials/);
  assert.deepEqual(
    (summary as unknown as { thresholds: { kept: boolean }[] }).thresholds.map(({ kept }) => kept),
    [false, false, false, false],
  );
});

test('without thresholds there is no such section', async () => {
  const { page } = await renderSections([thresholdsSection], planOf({ run: { window: '10s' } }), [{}]);
  assert.equal(parsePage(page).querySelector('#thresholds'), null);
});
