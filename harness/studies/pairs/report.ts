/** Writes summary and report of a pairwise study again, from its record. */
import { check, z } from '../../../core/schema/schema.ts';
import { shownValue } from '../../../core/text/shown-value.ts';
import { mostWindowMs } from '../../../core/vocabulary/trial-length.ts';
import { RunFolder } from '../../record/run-folder.ts';
import type { Written } from '../study.ts';
import { finishCycle } from './cycle.ts';
import { type PairsPlan, pairsFormat } from './plan.ts';
import { readSummary } from './summary-file.ts';

const text = z.string();

/**
 * Schema of a plan from which a report is made. When a study is resumed, its plan is computed again instead
 * (plan-again.ts).
 */
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

/** Returns the reason why each cell was given up, by id of the cell. Only summary.json contains these reasons. */
export function givenUpIn(folder: RunFolder<PairsPlan>): Map<string, string> {
  const cells = readSummary(folder.path)?.cells ?? [];
  return new Map(
    cells.flatMap(({ id, state, reason }) => (state === 'given-up' && reason !== null ? [[id, reason] as const] : [])),
  );
}

/** Opens the run folder of a pairwise study. Throws `bad-run-folder` if no report can be made from it. */
export function openPairs(path: string): { folder: RunFolder<PairsPlan>; plan: PairsPlan } {
  const folder = RunFolder.open<PairsPlan>(path, pairsFormat);
  const { plan } = folder.planFile();
  check(reportedPlan, plan, `${folder.file('plan.json')}: plan`, 'bad-run-folder');
  return { folder, plan };
}

export async function finishPairsAgain(path: string): Promise<Written> {
  const { folder, plan } = openPairs(path);
  return finishCycle(folder, plan, givenUpIn(folder));
}
