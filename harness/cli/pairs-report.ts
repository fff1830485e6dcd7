/** Summary and report of a pairwise study again, from its record. */
import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { pairsFormat } from '../pairs/plan.ts';
import type { PairsPlan } from '../pairs/plan.ts';
import { readJson } from '../record/json-file.ts';
import { RunFolder } from '../record/run-folder.ts';
import { finishCycle, readSummary } from './pairs-cycle.ts';
import type { FinishedCycle } from './pairs-cycle.ts';
import { changesBefore, cyclesFolder, lastCompleteCycle, lastCycle } from './pairs-cycles.ts';

/**
 * The folder of a pairwise study that a path names: itself, or the newest cycle in it that is complete; the newest
 * where none is. Undefined where it is no such study.
 */
export function pairsFolderAt(path: string): string | undefined {
  const folder = lastCompleteCycle(path) ?? lastCycle(path) ?? path;
  const planPath = join(folder, 'plan.json');
  if (!existsSync(planPath)) return undefined;
  try {
    const { plan } = readJson<{ plan?: { format?: unknown } }>(planPath);
    return plan?.format === pairsFormat ? folder : undefined;
  } catch {
    return undefined; // whoever opens it says what is wrong with it
  }
}

/** Why cells could not be measured is known to the summary alone. */
function givenUpIn(folder: RunFolder<PairsPlan>): Map<string, string> {
  const cells = readSummary(folder.path)?.cells ?? [];
  return new Map(
    cells.flatMap(({ id, state, reason }) => (state === 'given-up' && reason !== null ? [[id, reason] as const] : [])),
  );
}

export async function finishPairsAgain(path: string): Promise<FinishedCycle> {
  const folder = RunFolder.open<PairsPlan>(path, pairsFormat);
  const cycles = dirname(resolve(path));
  const changes = basename(cycles) === cyclesFolder ? changesBefore(dirname(cycles), basename(resolve(path))) : null;
  return finishCycle(folder, folder.planFile().plan, givenUpIn(folder), changes);
}
