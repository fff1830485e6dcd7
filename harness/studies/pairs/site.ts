/** Pages of a repeated pairwise study, and what changed between its cycles. */
import type { Site, SiteFile } from '../../../reports/cycles/index.ts';
import type { PairsReports } from '../../../reports/pairs/index.ts';
import { cyclesBefore } from '../../record/cycles.ts';
import { RunFolder } from '../../record/run-folder.ts';
import { loadReport } from '../load-report.ts';
import { type Changes, type Cycle, changesBetween } from './changes.ts';
import { type PairsPlan, pairsFormat } from './plan.ts';
import { readSummary } from './summary-file.ts';

/** Reads a cycle. Undefined if its folder has no summary. Throws `bad-run-folder` if the folder is damaged. */
function readCycle(folder: string): Cycle | undefined {
  const summary = readSummary(folder);
  if (summary === undefined) return undefined;
  const {
    plan: { run },
    versions,
  } = RunFolder.open<PairsPlan>(folder, pairsFormat).planFile();
  return { summary, versions, run };
}

/**
 * Returns the differences between a cycle and the last complete cycle before it. `folder`: run folder of the cycle.
 * Null if there is no earlier complete cycle, or if the run is not a cycle of a repeated study.
 */
export function changesSince(folder: string, cycle: Cycle): { since: string; changes: Changes } | null {
  for (const before of cyclesBefore(folder)) {
    const earlier = readCycle(before.folder);
    if (earlier !== undefined) return { since: `cycle ${before.name}`, changes: changesBetween(earlier, cycle) };
  }
  return null;
}

/** Returns all pages. */
export async function sitePages({ cycles, ...site }: Site): Promise<SiteFile[]> {
  const done = cycles.flatMap(about => {
    const cycle = readCycle(about.folder);
    return cycle === undefined ? [] : [{ about, cycle }];
  });
  const { renderSite } = await loadReport<PairsReports>('pairs');
  return renderSite({
    ...site,
    cycles: done.map(({ about: { name, createdMs, address }, cycle }, k) => ({
      name,
      createdMs,
      address,
      summary: cycle.summary,
      changes: k === 0 ? null : changesBetween(done[k - 1]!.cycle, cycle),
    })),
  });
}
