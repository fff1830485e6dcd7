/** Repeats a study of any kind until it is interrupted (`--watch`). Each repetition, a cycle, has a run folder. */
import { dirname, join } from 'node:path';
import { CoexistError } from '../../core/errors.ts';
import { makeOwnFolder } from '../../core/system/folders.ts';
import { giveBack } from '../../core/system/ownership.ts';
import { writeWhole } from '../../core/system/whole-file.ts';
import { siteUrl } from '../../core/text/site-url.ts';
import type { CycleReports, Site } from '../../reports/cycles/index.ts';
import { compareRuns } from '../analysis/compare/compare-runs.ts';
import {
  type CycleResult,
  completeCycles,
  cycleAddress,
  keepCycle,
  keepSiteUrl,
  keptSiteUrl,
  makeSite,
  openCycle,
} from '../record/cycles.ts';
import { RunFolder } from '../record/run-folder.ts';
import type { Software } from '../record/software.ts';
import { comparedRunOf } from './compared-run.ts';
import { loadReport } from './load-report.ts';
import type { Finished, OptionValues, StudyKind, StudyPlan } from './study.ts';

/** A study that is repeated. */
export type Watch = {
  kind: Pick<StudyKind, 'format' | 'compared' | 'sitePages'>;
  plan: StudyPlan;
  values: OptionValues;
  software: () => Promise<Software>;
  /** Command that the user enters to continue the study. */
  again: string;
  signal: AbortSignal;
  say(text: string): void;
  /** Runs the study in a folder and writes summary and report. */
  run(folder: RunFolder<StudyPlan>): Promise<Finished>;
};

const loadCycleReports = () => loadReport<CycleReports>('cycles');

/** Writes the pages of the site. `underWay`: the cycle that is running; null if none is. */
export async function writeSite(
  path: string,
  { kind, plan }: Pick<Watch, 'kind' | 'plan'>,
  underWay: { name: string; folder: RunFolder<StudyPlan> } | null,
): Promise<void> {
  const createdMs = (folder: RunFolder<StudyPlan>) => folder.planFile().createdMs;
  const site: Site = {
    title: plan.title,
    cycles: completeCycles(path).map(({ folder, ...cycle }) => ({
      ...cycle,
      folder,
      address: cycleAddress(cycle.name),
      createdMs: createdMs(RunFolder.open<StudyPlan>(folder, kind.format)),
    })),
    underWay: underWay === null ? null : { name: underWay.name, createdMs: createdMs(underWay.folder) },
    url: keptSiteUrl(path),
  };
  const pages = await (kind.sitePages?.(site) ?? (await loadCycleReports()).pages(site));
  for (const { path: page, text } of pages) {
    const folder = dirname(page);
    if (folder !== '.') makeOwnFolder(path, folder);
    writeWhole(join(path, page), text);
  }
}

/** Compares a cycle with the complete cycle before it, and writes the comparison into the folder of the cycle. */
async function compared(path: string, kind: Watch['kind'], name: string, folder: string) {
  const before = completeCycles(path).at(-1);
  if (before === undefined) return null;
  try {
    const [a, b] = [
      await comparedRunOf(kind, before.folder, `cycle ${before.name}`),
      await comparedRunOf(kind, folder, `cycle ${name}`),
    ];
    const comparison = compareRuns(a, b);
    const { comparisonName, renderComparison, changedIn } = await loadCycleReports();
    writeWhole(join(folder, comparisonName), await renderComparison(comparison));
    return { with: before.name, ...changedIn(comparison) };
  } catch (error) {
    // The cycles have no condition in common, or the folder of the one before is damaged.
    if (error instanceof CoexistError && ['usage', 'bad-run-folder'].includes(error.code)) return null;
    throw error;
  }
}

/** Returns what the index says about a cycle. A kind with pages of its own compares cycles itself. */
async function resultOf(
  path: string,
  kind: Watch['kind'],
  { name, folder }: { name: string; folder: RunFolder<StudyPlan> },
  { lines, missing }: Finished,
): Promise<Partial<CycleResult>> {
  if (kind.sitePages !== undefined) return {};
  return { lines, missing, comparison: await compared(path, kind, name, folder.path) };
}

/** Continues the last cycle if it is incomplete; otherwise begins a new cycle. */
async function runNext(path: string, watch: Watch): Promise<void> {
  const { kind, plan, values, software, again, say, run } = watch;
  const despiteChanges = values['despite-changes'] === true;
  const cycle = await openCycle(path, plan, software, { again, despiteChanges });
  const { name, folder, note } = cycle;
  try {
    if (note !== null) say(note);
    say(`cycle ${name}`);
    await writeSite(path, watch, cycle);
    const finished = await run(folder);
    keepCycle(path, name, await resultOf(path, kind, cycle, finished));
    await writeSite(path, watch, null);
    const { missing } = finished;
    say(`cycle ${name} is done${missing === null ? '' : `, ${missing}`}: ${join(path, 'index.html')}`);
    if (folder.trialNames().length === 0)
      throw new CoexistError('trials-failed', 'no trial of the cycle counts', {
        hint: `the report says why: ${folder.file('report.html')}`,
      });
  } finally {
    folder.release();
  }
}

/**
 * Runs cycle after cycle until the user interrupts. Under sudo, the site finally belongs to the user who ran sudo.
 * `--site-url`: address at which the site is published.
 */
export async function watchStudy(path: string, watch: Watch): Promise<never> {
  makeSite(path); // outside the `try`: a folder that it refuses keeps its owner
  const url = watch.values['site-url'];
  try {
    if (url !== undefined) keepSiteUrl(path, siteUrl(String(url)));
    for (;;) {
      watch.signal.throwIfAborted();
      await runNext(path, watch);
    }
  } finally {
    giveBack(path);
  }
}
