/** Writes summary and report of a conformance study from its record. */
import { check, z } from '../../../core/schema/schema.ts';
import type { ConformanceReport } from '../../../reports/conformance/data.ts';
import type { KindReport } from '../../../reports/results/kind-report.ts';
import { checkExperimentPlan } from '../../record/plan-schema.ts';
import { RunFolder } from '../../record/run-folder.ts';
import { loadRegistries } from '../../trial/registries.ts';
import { loadReport } from '../load-report.ts';
import { loadMetrics } from '../metrics.ts';
import { type Measure, measures } from './analysis/measures.ts';
import { measureOf } from './expectation.ts';
import { type ConformancePlan, conformanceFormat } from './plan.ts';
import { summariseConformance, summariseMeasured } from './summarise.ts';
import type { ConformanceSummary } from './summary.ts';
import { loadControllers } from './virtual-course.ts';

export type ConformanceReports = KindReport<ConformanceReport>;

type Finished = { summary: ConformanceSummary; summaryPath: string; reportPath: string; lines: string[] };

const text = z.string();
const ms = z.number().min(0);

/** Parts of a plan, beside those of an experiment, that reports compute with. */
const ownParts = z.looseObject({
  confidence: z.number().min(0).max(1),
  senders: z.array(z.object({ name: text, title: text })),
  cases: z.array(
    z.looseObject({
      id: text,
      title: text,
      source: text,
      notRun: text.nullable(),
      media: z.record(text, z.number().min(1)),
      bitrate: z.object({ minBps: ms, startBps: ms, maxBps: ms }).nullable(),
      expectations: z.array(
        z.looseObject({
          measure: text.refine(id => measureOf(id) !== undefined, { error: 'is no measure of this version' }),
          fromMs: ms,
          toMs: ms,
          atLeast: z.number().nullable(),
          atMost: z.number().nullable(),
        }),
      ),
    }),
  ),
  cells: z.array(
    z.looseObject({
      case: text,
      sender: text,
      condition: text.nullable(),
      notRun: text.nullable(),
      demands: z.record(text, z.number().positive().nullable()),
    }),
  ),
});

/** Opens a run folder and returns it with its plan. Throws `bad-run-folder` if no report can be made from it. */
export function openConformance(path: string): { folder: RunFolder<ConformancePlan>; plan: ConformancePlan } {
  const folder = RunFolder.open<ConformancePlan>(path, conformanceFormat);
  const { plan } = folder.planFile();
  const file = folder.file('plan.json');
  checkExperimentPlan(plan, file);
  check(ownParts, plan, `${file}: plan`, 'bad-run-folder');
  return { folder, plan };
}

const boundIn = ({ atLeast, atMost }: Measure) =>
  atMost === undefined ? (atLeast === undefined ? '' : `at least ${atLeast}`) : `at most ${atMost}`;

const rules = measures.map(measure => ({ ...measure, bound: boundIn(measure) }));

/** Returns the plan of the run and its values, without verdicts and without runs in virtual time. */
export async function measuredFolder(path: string) {
  const { folder, plan } = openConformance(path);
  return { plan, ...(await summariseMeasured(plan, folder, await loadMetrics())) };
}

/** Writes summary.json and report.html. `lines` of the result are the lines for the terminal. */
export async function finishConformance(path: string): Promise<Finished> {
  const { folder, plan } = openConformance(path);
  const { summary, shown } = await summariseConformance(plan, folder, {
    metrics: await loadMetrics(),
    registries: await loadRegistries(),
    controllers: await loadControllers(),
  });
  folder.writeText('summary.json', `${JSON.stringify(summary, null, 1)}\n`);
  const { versions, createdMs } = folder.planFile();
  const report = await loadReport<ConformanceReports>('conformance');
  const judged = { ...summary, parties: plan.conditions, conditions: plan.conditions };
  const { page, lines } = await report.render({ plan, versions, createdMs, summary, shown, judged, rules });
  folder.writeText('report.html', page);
  return { summary, summaryPath: folder.file('summary.json'), reportPath: folder.file('report.html'), lines };
}
