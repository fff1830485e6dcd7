import assert from 'node:assert/strict';
import { test } from 'node:test';
import { temporaryFolder } from '../../harness/support/folder.ts';
import { planOf } from '../../harness/support/plan.ts';
import { pageOf, textOf } from '../support/faulty-run.ts';
import { parsePage, renderRun } from '../support/run.ts';

const folder = temporaryFolder();

test('the parts of each condition with the whole and the number of frames', async () => {
  const page = await pageOf(folder, 'stack', [{}, { browser: { fromMs: 12_000, toMs: 12_100 } }, {}]);
  const rows = [...parsePage(page).querySelectorAll('#frame-latency-stack tbody tr')].map(row =>
    [...row.querySelectorAll('th, td')].map(cell => cell.textContent.trim()),
  );
  // encoder, pacer, queue, wire, repair, jitter buffer, decoding, whole, frames
  assert.deepEqual(rows[0], [
    'Alone',
    '5.0 ms',
    '2.0 ms',
    '0.4 ms',
    '1.1 ms',
    '0.0 ms',
    '12.0 ms',
    '3.0 ms',
    '23.5 ms',
    '500',
  ]);
  assert.deepEqual([rows.length, rows[1]!.at(-1)], [3, '495']);
  assert.match(
    textOf(page, 'frame-latency-stack')!,
    /one trial: no interval\. Medians of parts need not add up to the median of the total\./,
  );
});

test('frames that cannot be followed have no parts', async () => {
  const { page } = await renderRun(folder, 'none', planOf({ run: { window: '10s' } }), [{ stallMs: 300 }]);
  assert.equal(textOf(page, 'frame-latency-stack'), undefined);
});
