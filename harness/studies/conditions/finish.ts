/** Last step of every run: makes the summary, the verdicts on thresholds and claims, and the report from the record. */
import { check } from '../../../core/schema/schema.ts';
import type { Measure } from '../../../core/vocabulary/measure.ts';
import type { ReportData, ServiceFacts } from '../../../reports/report.ts';
import type { KindReport } from '../../../reports/results/kind-report.ts';
import { TrialView } from '../../analysis/derive/trial-view.ts';
import { type Judged, judgeResults } from '../../analysis/gate/gate.ts';
import { summarise } from '../../analysis/summary/summarise.ts';
import type { Summary } from '../../analysis/summary/summary.ts';
import type { Chosen } from '../../definition/applications.ts';
import type { Plan } from '../../definition/plan.ts';
import { referenceSchema } from '../../definition/reference.ts';
import { dataFiles } from '../../exchange/data-files.ts';
import { readTrialDetails } from '../../exchange/trial-details.ts';
import type { RunFolder, RunRecords } from '../../record/run-folder.ts';
import type { VoiceScores } from '../../record/voice-scores.ts';
import { loadRegistries, type RunnerRegistries } from '../../trial/registries.ts';
import { loadReport } from '../load-report.ts';
import { loadMetrics } from '../metrics.ts';
import { parameterKinds } from './parameter-kinds.ts';

/** Content of summary.json of an experiment. */
export type FinishedSummary = Summary & Judged;

export type ExperimentReport = KindReport<ReportData>;

type Finished = { summary: FinishedSummary; summaryPath: string; reportPath: string; lines: string[] };

/** Reads and summarises a whole run. Writes no file. */
export async function summariseRun(folder: RunRecords<Plan>): Promise<FinishedSummary> {
  const summary = await summarise(folder, await loadMetrics());
  const { plan } = folder.planFile();
  return { ...summary, ...judgeResults({ ...plan, quantities: summary.quantities }, summary) };
}

/** Returns the valid trials that have a measured window, by id of the condition. */
function viewsByCondition(folder: RunRecords<Plan>, measure: Measure): Map<string, TrialView[]> {
  const views = new Map<string, TrialView[]>();
  for (const name of folder.trialNames()) {
    const view = new TrialView(folder.record(name, measure));
    if (view.file.phases === null) continue;
    const { id } = view.file.condition;
    views.set(id, [...(views.get(id) ?? []), view]);
  }
  return views;
}

/** Returns the void trial that the report shows in place of a valid one, for each condition without a valid trial. */
function disturbedViews(folder: RunRecords<Plan>, { conditions }: Summary, measure: Measure): Map<string, TrialView> {
  const shown = conditions.flatMap(({ id, disturbed }) =>
    disturbed === null ? [] : [[id, new TrialView(folder.record(disturbed.name, measure))] as const],
  );
  return new Map(shown);
}

/** Returns the facts of a service that reports need. A service that this version does not have counts as one flow. */
export function factsOf({ id, params }: Chosen, { services }: Pick<RunnerRegistries, 'services'>): ServiceFacts {
  const { flows, kernelControl, controller } = services.get(id)?.bound(params) ?? {};
  return { flows: flows ?? 1, kernelControl: kernelControl ?? null, controller: controller ?? null };
}

/** `voiceScores`: scores of the voices, if `verify` made some. */
export async function reportData(
  folder: RunRecords<Plan>,
  summary: FinishedSummary,
  voiceScores: VoiceScores | null = null,
): Promise<ReportData> {
  const { plan, versions, createdMs } = folder.planFile();
  const registries = await loadRegistries();
  const details = await readTrialDetails(folder);
  return {
    plan,
    versions,
    createdMs,
    summary,
    records: viewsByCondition(folder, plan.measure),
    disturbed: disturbedViews(folder, summary, plan.measure),
    details,
    files: dataFiles(plan.study, summary, details),
    judged: { ...summary, parties: plan.conditions },
    reference: check(referenceSchema.optional(), plan.definition.reference, `${plan.study}: reference`) ?? null,
    voiceScores,
    kinds: parameterKinds(registries),
    factsOf: service => factsOf(service, registries),
  };
}

/** Writes summary.json and report.html. `lines` of the result are the lines for the terminal. */
export async function finishRun(folder: RunFolder): Promise<Finished> {
  const summary = await summariseRun(folder);
  folder.writeText('summary.json', `${JSON.stringify(summary, null, 1)}\n`);
  const report = await loadReport<ExperimentReport>('experiment');
  const { page, lines } = await report.render(await reportData(folder, summary, folder.voiceScores()));
  folder.writeText('report.html', page);
  return { summary, summaryPath: folder.file('summary.json'), reportPath: folder.file('report.html'), lines };
}
