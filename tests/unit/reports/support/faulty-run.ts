/** The report of a run whose trials are simulated viewings with faults in them, one for each condition. */
import { readFileSync } from 'node:fs';
import { finishRun } from '../../../../harness/cli/finish.ts';
import { simulateViewing } from '../../../sim/viewing.ts';
import type { Faults } from '../../../sim/viewing.ts';
import { planOf } from '../../harness/support/plan.ts';
import { commitTrial, createFolder, fileOf } from '../../harness/support/run-folder.ts';
import { conditions, parsePage } from './run.ts';

export async function pageOf(parent: string, name: string, faults: readonly Faults[]): Promise<string> {
  const plan = planOf({ conditions, run: { window: '10s' } });
  const run = createFolder(parent, name, plan);
  for (const [i, fault] of faults.entries()) {
    const clocks = { server: { offsetMs: 1000, uncertaintyMs: 0.1 }, page: { offsetMs: 0, uncertaintyMs: 0.1 } };
    commitTrial(run, fileOf(plan, i + 1, { clocks, cpuRatio: { server: 0.3 } }), directory =>
      simulateViewing({ faults: fault }).write(directory),
    );
  }
  return readFileSync((await finishRun(run)).reportPath, 'utf8');
}

/** A section's words; undefined where the page does not have it. */
export const textOf = (page: string, id: string) =>
  parsePage(page).querySelector(`#${id}`)?.textContent.replace(/\s+/g, ' ');
