/** Reads a run of any kind for a comparison. */
import type { ComparedRun } from '../analysis/compare/compare-runs.ts';
import { RunFolder } from '../record/run-folder.ts';
import type { StudyKind, StudyPlan } from './study.ts';

/** Returns the run in a folder. `name`: name of the run in the comparison. */
export async function comparedRunOf(
  kind: Pick<StudyKind, 'format' | 'compared'>,
  folder: string,
  name: string,
): Promise<ComparedRun> {
  const { versions, createdMs } = RunFolder.open<StudyPlan>(folder, kind.format).planFile();
  return { ...(await kind.compared(folder)), versions, createdMs, name };
}
