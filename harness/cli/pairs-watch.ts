/**
 * A pairwise study that begins again when it has ended, for ever. Its folder is a static site:
 *
 *   index.html          the newest report's link and every cycle, with what changed
 *   cycles/0001/        the folder of a run, with its report.html
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeDirectory } from '../base/directories.ts';
import { CoexistError, writeError } from '../base/errors.ts';
import { changesBetween } from '../pairs/changes.ts';
import type { Cycle } from '../pairs/changes.ts';
import { pairsFormat } from '../pairs/plan.ts';
import type { PairsPlan } from '../pairs/plan.ts';
import type { PairTrialFile } from '../pairs/record.ts';
import type { PairsFolder } from '../pairs/run/lane.ts';
import type { PairsSummary } from '../pairs/summary.ts';
import { RunFolder } from '../record/run-folder.ts';
import { renderIndex } from '../../reports/pairs/index-page.ts';
import type { CycleLine } from '../../reports/pairs/index-page.ts';
import { writeWhole } from '../record/whole-file.ts';
import { runCycle } from './pairs-cycle.ts';
import type { ChangesSince, CycleOptions } from './pairs-cycle.ts';

export const cyclesFolder = 'cycles';

function cycleNames(path: string): string[] {
  const folder = join(path, cyclesFolder);
  return existsSync(folder) ? readdirSync(folder).filter(name => /^\d{4,}$/.test(name)).sort((a, b) => Number(a) - Number(b)) : [];
}

/** A cycle that was completed, or undefined. */
function completed(path: string, name: string): (Cycle & { createdMs: number }) | undefined {
  const directory = join(path, cyclesFolder, name);
  if (!existsSync(join(directory, 'report.html'))) return undefined;
  const { versions, createdMs } = RunFolder.open<PairsPlan, PairTrialFile>(directory, pairsFormat).planFile();
  return { summary: JSON.parse(readFileSync(join(directory, 'summary.json'), 'utf8')) as PairsSummary, versions, createdMs };
}

/** Writes the page of all cycles. */
async function writeIndex(path: string, title: string): Promise<void> {
  const done = cycleNames(path).flatMap(name => {
    const cycle = completed(path, name);
    return cycle === undefined ? [] : [{ name, cycle }];
  });
  const lines = done.map(({ name, cycle }, k): CycleLine => ({
    name, createdMs: cycle.createdMs, summary: cycle.summary, href: `${cyclesFolder}/${name}/report.html`, changes: k === 0 ? null : changesBetween(done[k - 1]!.cycle, cycle),
  }));
  writeWhole(join(path, 'index.html'), await renderIndex(title, lines));
}

/** Folder of the newest cycle; undefined where the folder is none of a study that goes on for ever. */
export function lastCycle(path: string): string | undefined {
  const last = cycleNames(path).at(-1);
  return last === undefined ? undefined : join(path, cyclesFolder, last);
}

/** What is different from the cycle before one; null where there is none. */
export function changesBefore(path: string, name: string): ChangesSince | null {
  const before = cycleNames(path).filter(other => Number(other) < Number(name)).at(-1);
  const earlier = before === undefined ? undefined : completed(path, before);
  return earlier === undefined ? null : cycle => ({ since: `cycle ${before}`, changes: changesBetween(earlier, cycle) });
}

/** Goes on with the cycle that was not completed, or begins one, until it is interrupted. */
export async function watchPairs(path: string, options: CycleOptions): Promise<never> {
  const { plan, versions, signal, printer } = options;
  try {
    if (cycleNames(path).length === 0 && existsSync(path) && readdirSync(path).length > 0) throw new CoexistError('usage', `the folder ${path} is not empty`, { hint: 'choose another with --out, or go on with it by --resume' });
    if (!existsSync(join(path, cyclesFolder))) makeDirectory(join(path, cyclesFolder));
  } catch (error) {
    throw writeError(error, path);
  }
  for (;;) {
    signal.throwIfAborted();
    const names = cycleNames(path);
    const last = names.at(-1);
    const isOpen = last !== undefined && completed(path, last) === undefined;
    const name = isOpen ? last : String(Number(last ?? 0) + 1).padStart(4, '0');
    const directory = join(path, cyclesFolder, name);
    const folder: PairsFolder = isOpen ? RunFolder.resume<PairsPlan, PairTrialFile>(directory, pairsFormat) : RunFolder.create<PairsPlan, PairTrialFile>(directory, { plan, versions, createdMs: Date.now() });
    printer.say(`cycle ${name}`);
    try {
      const { givenUp } = await runCycle({ ...options, folder, changes: changesBefore(path, name) });
      await writeIndex(path, plan.title);
      printer.say(`cycle ${name} is done${givenUp.size === 0 ? '' : `, ${givenUp.size} cells could not be measured`}: ${join(path, 'index.html')}`);
      if (givenUp.size === plan.cells.length) throw new CoexistError('trials-failed', 'no cell of the cycle could be measured', { hint: `the report says why: ${folder.file('report.html')}` });
    } finally {
      folder.release();
    }
  }
}
