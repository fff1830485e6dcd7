/** Summary and report of a pairwise study again, from its record. */
import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { check, z } from '../../core/schema.ts';
import { shownValue } from '../../core/shown-value.ts';
import { mostWindowMs } from '../../core/trial-length.ts';
import { type PairsPlan, pairsFormat } from '../pairs/plan.ts';
import { readJson } from '../record/json-file.ts';
import { RunFolder } from '../record/run-folder.ts';
import { type FinishedCycle, finishCycle, readSummary } from './pairs-cycle.ts';
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

const text = z.string();

/** What a report is made of; one that is gone on with is made again (pairs-plan-again.ts). */
const reportedPlan = z
  .looseObject({
    title: text,
    contestants: z.array(z.looseObject({ name: text, title: text, warmUpMs: z.number().min(0) })).min(1),
    links: z.array(z.looseObject({ id: text })).min(1),
    run: z.looseObject({ windowMs: z.number().min(1).max(mostWindowMs) }),
    cells: z.array(z.looseObject({ id: text, link: text, sides: z.array(text).min(1).max(2) })),
  })
  .superRefine(({ contestants, links, cells }, context) => {
    const [names, ids] = [new Set(contestants.map(({ name }) => name)), new Set(links.map(({ id }) => id))];
    const odd = cells.find(({ link, sides }) => !ids.has(link) || sides.some(side => !names.has(side)));
    if (odd !== undefined) context.addIssue(`the cell ${shownValue(odd.id)} is of no link or contestant of the plan`);
  });

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
  const { plan } = folder.planFile();
  check(reportedPlan, plan, `${folder.file('plan.json')}: plan`, 'bad-run-folder');
  return finishCycle(folder, plan, givenUpIn(folder), changes);
}
