import assert from 'node:assert/strict';
import { test } from 'node:test';
import { temporaryFolder } from '../../harness/support/folder.ts';
import { planOf } from '../../harness/support/plan.ts';
import { conditions, parsePage, renderRun } from '../support/run.ts';

const folder = temporaryFolder();

test('each threshold has a row with what was measured and whether it was kept', async () => {
  const require = [
    { metric: 'stall-time', condition: 'wired', atMost: '400ms' },
    { metric: 'frame-rate', atLeast: '25fps', judge: 'interval' },
  ];
  const { page, summary } = await renderRun(folder, 'gated', planOf({ conditions, require, run: { window: '10s' } }), [
    {},
    { stallMs: 450 },
    {},
  ]);
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
  const { page } = await renderRun(folder, 'free', planOf({ run: { window: '10s' } }), [{}]);
  assert.equal(parsePage(page).querySelector('#thresholds'), null);
});
