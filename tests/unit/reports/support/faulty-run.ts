/** Report of a run whose trials are simulated viewings with faults, one trial for each condition. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LinkStopRecord } from '../../../../harness/record/series/link-stops.ts';
import { finishRun } from '../../../../harness/studies/conditions/finish.ts';
import { type Faults, simulateViewing } from '../../../sim/viewing.ts';
import { planOf } from '../../harness/support/plan.ts';
import { commitTrial, createFolder, fileOf } from '../../harness/support/run-folder.ts';
import { conditions, parsePage } from './run.ts';

/** `stops`: stops of the link in each trial. */
export async function pageOf(
  parent: string,
  name: string,
  faults: readonly Faults[],
  stops: readonly LinkStopRecord[] = [],
): Promise<string> {
  const plan = planOf({ conditions, run: { window: '10s' } });
  const run = createFolder(parent, name, plan);
  for (const [i, fault] of faults.entries()) {
    const clocks = { server: { offsetMs: 1000, uncertaintyMs: 0.1 }, page: { offsetMs: 0, uncertaintyMs: 0.1 } };
    commitTrial(run, fileOf(plan, i + 1, { clocks, cpuRatio: { server: 0.3 } }), directory => {
      simulateViewing({ faults: fault }).write(directory);
      writeFileSync(join(directory, 'link-stops.jsonl'), stops.map(stop => `${JSON.stringify(stop)}\n`).join(''));
    });
  }
  return readFileSync((await finishRun(run)).reportPath, 'utf8');
}

/** Text of a section. Undefined if the page does not have the section. */
export const textOf = (page: string, id: string) =>
  parsePage(page).querySelector(`#${id}`)?.textContent.replace(/\s+/g, ' ');
