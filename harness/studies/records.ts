/** Records of a run whose plan lists no conditions. The conditions are read from the trials. */
import { defaultMeasure } from '../../core/vocabulary/measure.ts';
import type { Condition } from '../definition/conditions.ts';
import { type MeasuredPlan, RunFolder, type RunRecords } from '../record/run-folder.ts';
import type { StudyPlan } from './study.ts';

/** Opens a run folder with this format. The conditions of such a run are not compared with each other. */
export function recordsOf(path: string, format: unknown): RunRecords & { path: string } {
  const folder = RunFolder.open<StudyPlan & Pick<MeasuredPlan, 'run'>>(path, format);
  const { plan, ...file } = folder.planFile();
  const conditions = new Map<string, Condition>();
  for (const name of folder.trialNames({ voided: true })) {
    const { condition } = folder.trialFile(name);
    conditions.set(condition.id, { ...condition, baseline: condition.id });
  }
  const { title, study = title, run } = plan;
  const measured = { study, title, run, measure: defaultMeasure, conditions: [...conditions.values()] };
  return {
    path: folder.path,
    planFile: () => ({ ...file, plan: measured }),
    trialNames: options => folder.trialNames(options),
    record: (name, measure) => folder.record(name, measure),
  };
}
