import assert from 'node:assert/strict';
import { test } from 'node:test';
import { temporaryFolder } from '../../harness/support/folder.ts';
import { pageOf, textOf } from '../support/faulty-run.ts';
import { parsePage } from '../support/run.ts';

const folder = temporaryFolder();

test('each stall is listed with its cause, its evidence and a way to its trial', async () => {
  const page = await pageOf(folder, 'faults', [{ receiver: { fromMs: 12_000, toMs: 12_500 } }, { outage: { fromMs: 13_000, toMs: 13_400 } }, {}]);
  const document = parsePage(page);
  const rows = [...document.querySelectorAll('#stall-causes tbody tr')];
  assert.equal(rows.length, 2);
  assert.match(rows[0]!.textContent.replace(/\s+/g, ' '), /0001-alone\s*Alone\s*1\.98 s\s*516\.5 ms\s*stall, freeze\s*host: receiver starved\s*picture 149 was whole 512 ms before the next one was shown, .* the browser's page was held up for 500 ms in that second/);
  assert.match(rows[1]!.textContent.replace(/\s+/g, ' '), /0002-wired.*link outage or loss of capacity/);
  for (const link of document.querySelectorAll('#stall-causes a')) assert.ok(document.getElementById(link.getAttribute('href')!.slice(1)) !== null, 'the trial is there');
  assert.match(textOf(page, 'stall-causes')!, /Alone 1 stall, 0\.\d\d s; Wired 1 stall, 0\.\d\d s\./);
});

test('where nothing stood still there is nothing to say', async () => {
  assert.equal(textOf(await pageOf(folder, 'calm', [{}, {}, {}]), 'stall-causes'), undefined);
});
