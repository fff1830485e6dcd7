/** One cycle of a pairwise study: its trials, then summary and report from the record. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { check } from '../../core/schema.ts';
import { renderPairsReport } from '../../reports/pairs/render.ts';
import type { Changes, Cycle } from '../pairs/changes.ts';
import type { PairsFolder } from '../pairs/folder.ts';
import { lanesOf } from '../pairs/machine/check.ts';
import { MatrixPlanner } from '../pairs/matrix.ts';
import type { PairsPlan } from '../pairs/plan.ts';
import { qualityQuantities, trialQuality } from '../pairs/quality.ts';
import { summarisePairs, type TrialInFolder } from '../pairs/summarise.ts';
import type { PairsSummary } from '../pairs/summary.ts';
import { pairsSummarySchema } from '../pairs/summary-schema.ts';
import { readJson } from '../record/json-file.ts';
import type { Software } from '../record/software.ts';
import type { RunnerRegistries } from '../runner/registries.ts';
import { runStudy } from '../runner/study.ts';
import { overQueue } from './over-queue.ts';
import type { PairsPrinter } from './pairs-progress.ts';
import { writeTrialPages } from './pairs-trial-pages.ts';

/** Services that stay ready in a place, one of each: as many as a small matrix has. */
const keptServices = 8;

/**
 * Most trials in a queue at the same time. Few, because a cell may need no further trial by the time its trial is taken.
 */
const mostAhead = 64;

/** `software`: reads what the study runs on, when a cycle begins. */
export type CycleOptions = {
  plan: PairsPlan;
  software: () => Promise<Software>;
  registries: RunnerRegistries;
  headed: boolean;
  /** The queue whose workers run the trials. If undefined, lanes of this machine run them. */
  queue?: string;
  signal: AbortSignal;
  printer: PairsPrinter;
};

export type FinishedCycle = {
  summary: PairsSummary;
  summaryPath: string;
  reportPath: string;
  givenUp: ReadonlyMap<string, string>;
};

/** `changes`: what is different from an earlier cycle; null where there was none. */
export type ChangesSince = (cycle: Cycle) => { since: string; changes: Changes };

/** The summary that was written of a study; undefined where none was. Throws `bad-run-folder` where it is none. */
export function readSummary(directory: string): PairsSummary | undefined {
  const path = join(directory, 'summary.json');
  if (!existsSync(path)) return undefined;
  const summary = readJson<PairsSummary>(path);
  check(pairsSummarySchema, summary, path, 'bad-run-folder');
  return summary;
}

/** The summary of what a folder holds. */
async function summariseFolder(
  folder: PairsFolder,
  plan: PairsPlan,
  givenUp: ReadonlyMap<string, string>,
): Promise<PairsSummary> {
  const trials: TrialInFolder[] = [];
  for (const name of folder.trialNames({ voided: true })) {
    const file = folder.trialFile(name);
    trials.push({ name, file, quality: await trialQuality(file, folder.trialFolder(name)) });
  }
  return summarisePairs({ plan, trials, quantities: qualityQuantities, givenUp });
}

/** Writes summary and report of what a folder holds, the report last: it says that all is there. */
export async function finishCycle(
  folder: PairsFolder,
  plan: PairsPlan,
  givenUp: ReadonlyMap<string, string>,
  changes: ChangesSince | null,
): Promise<FinishedCycle> {
  const summary = await summariseFolder(folder, plan, givenUp);
  folder.writeText('summary.json', `${JSON.stringify(summary, null, 1)}\n`);
  const { versions, createdMs } = folder.planFile();
  writeTrialPages(folder, plan);
  folder.writeText(
    'report.html',
    await renderPairsReport({
      plan,
      versions,
      createdMs,
      summary,
      changes: changes?.({ summary, versions, run: plan.run }) ?? null,
      trialsHref: 'trials/',
    }),
  );
  return { summary, summaryPath: folder.file('summary.json'), reportPath: folder.file('report.html'), givenUp };
}

export async function runCycle({
  folder,
  changes,
  printer,
  plan,
  software,
  registries,
  headed,
  queue,
  signal,
}: CycleOptions & { folder: PairsFolder; changes: ChangesSince | null }): Promise<FinishedCycle> {
  const { priority, preflight, privateNetworks } = plan.run;
  const planner = new MatrixPlanner(
    plan,
    folder.trialNames().map(name => folder.trialFile(name)),
    (cell, reason) => printer.onGivenUp(cell, reason),
  );
  const study = {
    planner,
    folder,
    software: await software(),
    registries,
    keep: keptServices,
    priority,
    preflight,
    privateNetworks,
    headed,
    progress: printer,
  };
  if (queue === undefined) await runStudy({ ...study, lanes: lanesOf(plan), signal });
  else {
    const lane = {
      study: planner.study,
      places: planner.places,
      priority,
      preflight,
      keep: keptServices,
      privateNetworks,
    };
    await overQueue(
      { queue, kind: 'pairs', plan, files: study.software.files, folder, lane, say: text => printer.say(text), signal },
      way => runStudy({ ...study, ...way, lanes: Math.min(plan.cells.length, mostAhead) }),
    );
  }
  return finishCycle(folder, plan, planner.givenUp, changes);
}
