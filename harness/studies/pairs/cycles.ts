/**
 * Folder of a repeated pairwise study, which is a static site:
 *
 *   index.html          results of the newest cycle, changes, and a list of cycles (site.ts)
 *   pairs/, services/   a page for each pair and each service
 *   feed.xml            changes, for feed readers
 *   cycles/0001/        the run folder of a cycle, with its report.html
 *
 * A cycle is complete when its report exists and none of its pairs needs more trials. A report can also be made while a
 * cycle is running.
 */
import { existsSync, lstatSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { CoexistError, writeError } from '../../../core/errors.ts';
import { makeOwnFolder } from '../../../core/system/folders.ts';
import { openCells } from '../../../core/vocabulary/pair-names.ts';
import { RunFolder } from '../../record/run-folder.ts';
import { requireSameSoftware, type Software } from '../../record/software.ts';
import { type Changes, type Cycle, changesBetween } from './changes.ts';
import type { PairsFolder } from './folder.ts';
import { type PairsPlan, pairsFormat } from './plan.ts';
import type { PairsSummary } from './summary.ts';
import { readSummary } from './summary-file.ts';

export const cyclesFolder = 'cycles';
/** Names of the site's files and folders, except for the folder of the cycles. */
const siteNames = ['index.html', 'feed.xml', 'site.json', 'pairs', 'services'];

const folderOf = (path: string, name: string) => join(path, cyclesFolder, name);
const hasPlan = (path: string, name: string) => existsSync(join(folderOf(path, name), 'plan.json'));

function folderNames(path: string): string[] {
  const folder = join(path, cyclesFolder);
  // A symbolic link is not followed, since it leads out of the folder.
  if (!existsSync(folder) || !lstatSync(folder).isDirectory()) return [];
  const names = readdirSync(folder, { withFileTypes: true })
    .filter(entry => entry.isDirectory())
    .map(({ name }) => name);
  return names.filter(name => /^\d{4,}$/.test(name)).sort((a, b) => Number(a) - Number(b));
}

/** Returns the summary of a cycle. Undefined if the cycle is not complete. */
function completeSummary(path: string, name: string): PairsSummary | undefined {
  const folder = folderOf(path, name);
  if (!hasPlan(path, name) || !existsSync(join(folder, 'report.html'))) return undefined;
  const summary = readSummary(folder);
  return summary === undefined || openCells(summary).length > 0 ? undefined : summary;
}

function newest(path: string, is: (path: string, name: string) => boolean): string | undefined {
  const last = folderNames(path).findLast(name => is(path, name));
  return last === undefined ? undefined : folderOf(path, last);
}

/** Returns a complete cycle. Undefined if the cycle is not complete. */
function completed(path: string, name: string): (Cycle & { createdMs: number }) | undefined {
  const summary = completeSummary(path, name);
  if (summary === undefined) return undefined;
  const {
    plan: { run },
    versions,
    createdMs,
  } = RunFolder.open<PairsPlan>(folderOf(path, name), pairsFormat).planFile();
  return { summary, versions, run, createdMs };
}

/** Returns the folder of the newest cycle. Undefined if `path` is not the folder of a repeated study. */
export function lastCycle(path: string): string | undefined {
  return newest(path, hasPlan);
}

/** Returns the folder of the newest complete cycle. Undefined if no cycle is complete. */
export function lastCompleteCycle(path: string): string | undefined {
  return newest(path, (site, name) => completeSummary(site, name) !== undefined);
}

/** Returns every complete cycle, the oldest first. */
export function completeCycles(path: string): { name: string; cycle: Cycle & { createdMs: number } }[] {
  return folderNames(path).flatMap(name => {
    const cycle = completed(path, name);
    return cycle === undefined ? [] : [{ name, cycle }];
  });
}

/**
 * Returns the differences between a cycle and the last complete cycle before it. `folder`: run folder of the cycle.
 * Null if there is no earlier complete cycle, or if the run is not a cycle of a repeated study.
 */
export function changesSince(folder: string, cycle: Cycle): { since: string; changes: Changes } | null {
  const [path, name] = [resolve(folder), basename(resolve(folder))];
  if (basename(dirname(path)) !== cyclesFolder) return null;
  const site = dirname(dirname(path));
  for (const before of folderNames(site)
    .filter(other => Number(other) < Number(name))
    .reverse()) {
    const earlier = completed(site, before);
    if (earlier !== undefined) return { since: `cycle ${before}`, changes: changesBetween(earlier, cycle) };
  }
  return null;
}

/** Creates the folder of a site, if it does not exist. Throws `usage` if the folder contains files but no site. */
export function makeSite(path: string): void {
  try {
    const isOther =
      folderNames(path).length === 0 &&
      existsSync(path) &&
      readdirSync(path).some(name => ![cyclesFolder, ...siteNames].includes(name));
    if (isOther)
      throw new CoexistError('usage', `the folder ${path} is not empty`, {
        hint: 'choose another with --out, or go on with it by --resume',
      });
    makeOwnFolder(path, cyclesFolder);
  } catch (error) {
    throw writeError(error, path);
  }
}

export type OpenCycle = {
  name: string;
  folder: PairsFolder;
  /** Line about something that the user may not expect. Null if there is nothing to report. */
  note: string | null;
};

/**
 * Continues the last cycle if it is incomplete and has the same plan; otherwise begins a new cycle. `software`: present
 * versions and file hashes. `again`: command that continues the study. Throws `bad-run-folder` if the incomplete cycle
 * began with other software, unless `despiteChanges` is set. A new cycle may have other software; its page reports the
 * change.
 */
export async function openCycle(
  path: string,
  plan: PairsPlan,
  software: () => Promise<Software>,
  { again, despiteChanges = false }: { again: string; despiteChanges?: boolean },
): Promise<OpenCycle> {
  // A folder without a plan is empty: its cycle was killed between the creation of the folder and that of the plan.
  for (const name of folderNames(path).filter(name => !hasPlan(path, name)))
    rmSync(folderOf(path, name), { recursive: true, force: true });
  const last = folderNames(path).at(-1);
  let note: string | null = null;
  if (last !== undefined && completed(path, last) === undefined) {
    // Also throws if another process uses the folder.
    const folder = RunFolder.resume<PairsPlan>(folderOf(path, last), pairsFormat);
    const { plan: kept, ...before } = folder.planFile();
    if (isDeepStrictEqual(kept, JSON.parse(JSON.stringify(plan)))) {
      try {
        const changes = requireSameSoftware(before, await software(), { despiteChanges, again });
        return {
          name: last,
          folder,
          note: changes.length === 0 ? null : `changed since cycle ${last} began: ${changes.join('; ')}`,
        };
      } catch (error) {
        folder.release();
        throw error;
      }
    }
    folder.release();
    note = `cycle ${last} is not complete and has a different plan: it is kept, and a new cycle starts`;
  }
  const name = String(Number(last ?? 0) + 1).padStart(4, '0');
  return {
    name,
    note,
    folder: RunFolder.create<PairsPlan>(folderOf(path, name), {
      plan,
      ...(await software()),
      createdMs: Date.now(),
    }),
  };
}
