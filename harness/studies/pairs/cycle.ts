/**
 * Makes summary and report of a pairwise study from its record. The record is a run, or one cycle of a repeated study.
 */
import type { PairsReports } from '../../../reports/pairs/index.ts';
import { loadReport } from '../load-report.ts';
import type { Written } from '../study.ts';
import type { PairsFolder } from './folder.ts';
import type { PairsPlan } from './plan.ts';
import { qualityQuantities, trialQuality } from './quality.ts';
import { pairsResults } from './results.ts';
import { changesSince } from './site.ts';
import { summarisePairs, type TrialInFolder } from './summarise.ts';
import type { PairsSummary } from './summary.ts';
import { writeTrialPages } from './trial-pages.ts';

/** Summarises the trials in a run folder. */
export async function summariseFolder(
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

/** Writes summary.json and then the report into a run folder. If the report exists, the summary is complete. */
export async function finishCycle(
  folder: PairsFolder,
  plan: PairsPlan,
  givenUp: ReadonlyMap<string, string>,
): Promise<Written & { summary: PairsSummary; lines: string[] }> {
  const summary = await summariseFolder(folder, plan, givenUp);
  folder.writeText('summary.json', `${JSON.stringify(summary, null, 1)}\n`);
  const { versions, createdMs } = folder.planFile();
  const reports = await loadReport<PairsReports>('pairs');
  writeTrialPages(folder, plan, reports);
  const changes = changesSince(folder.path, { summary, versions, run: plan.run });
  const { page, lines } = await reports.render({
    plan,
    versions,
    createdMs,
    summary,
    changes,
    trialsHref: 'trials/',
    judged: { ...summary, ...pairsResults(plan, summary), parties: [] },
  });
  folder.writeText('report.html', page);
  return { summary, summaryPath: folder.file('summary.json'), reportPath: folder.file('report.html'), lines };
}
