import assert from 'node:assert/strict';
import { test } from 'node:test';
import { finishRun } from '../../../../harness/cli/finish.ts';
import { readFileSync } from 'node:fs';
import { simulateViewing } from '../../../sim/viewing.ts';
import type { Faults } from '../../../sim/viewing.ts';
import { temporaryFolder } from '../../harness/support/folder.ts';
import { planOf } from '../../harness/support/plan.ts';
import { commitTrial, createFolder, fileOf } from '../../harness/support/run-folder.ts';
import { conditions, parsePage } from '../support/run.ts';

const folder = temporaryFolder();

/** A trial for each condition with faults in it. */
async function pageOf(name: string, faults: readonly Faults[]): Promise<string> {
  const plan = planOf({ conditions, run: { window: '10s' } });
  const run = createFolder(folder, name, plan);
  for (const [i, fault] of faults.entries()) {
    const clocks = { server: { offsetMs: 1000, uncertaintyMs: 0.1 }, page: { offsetMs: 0, uncertaintyMs: 0.1 } };
    commitTrial(run, fileOf(plan, i + 1, { clocks, cpuRatio: { server: 0.3 } }), directory => simulateViewing({ faults: fault }).write(directory));
  }
  return readFileSync((await finishRun(run)).reportPath, 'utf8');
}

const textOf = (page: string, id: string) => parsePage(page).querySelector(`#${id}`)?.textContent.replace(/\s+/g, ' ');

test('each stall is listed with its cause, its evidence and a way to its trial', async () => {
  const page = await pageOf('faults', [{ receiver: { fromMs: 12_000, toMs: 12_500 } }, { outage: { fromMs: 13_000, toMs: 13_400 } }, {}]);
  const document = parsePage(page);
  const rows = [...document.querySelectorAll('#stall-causes tbody tr')];
  assert.equal(rows.length, 2);
  assert.match(rows[0]!.textContent.replace(/\s+/g, ' '), /0001-alone\s*Alone\s*1\.98 s\s*516\.5 ms\s*stall, freeze\s*host: receiver starved\s*picture 149 was whole 512 ms before the next one was shown, .* the browser's page was held up for 500 ms in that second/);
  assert.match(rows[1]!.textContent.replace(/\s+/g, ' '), /0002-wired.*link outage or loss of capacity/);
  for (const link of document.querySelectorAll('#stall-causes a')) assert.ok(document.getElementById(link.getAttribute('href')!.slice(1)) !== null, 'the trial is there');
  assert.match(textOf(page, 'stall-causes')!, /Alone 1 stall, 0\.\d\d s; Wired 1 stall, 0\.\d\d s\./);
});

test('where a picture\'s time goes, with the number of pictures', async () => {
  const page = await pageOf('stack', [{}, {}, {}]);
  assert.match(textOf(page, 'frame-latency-stack')!, /Alone 500 pictures of 1 trial, whole latency 23\.5 ms/);
  assert.equal(textOf(page, 'stall-causes'), undefined, 'no stall, nothing to say');
});
