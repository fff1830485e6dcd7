/** Runs a study for a benchmark, in a folder that is gone afterwards. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CoexistError, messageOf } from '../../../core/errors.ts';
import { formatDuration } from '../../../core/text/units.ts';
import type { ExperimentDefinition } from '../../../harness/definition/define.ts';
import { makePlan } from '../../../harness/definition/plan.ts';
import { RunFolder } from '../../../harness/record/run-folder.ts';
import { readVersions } from '../../../harness/record/versions.ts';
import { ProgressPrinter } from '../../../harness/studies/experiment/progress.ts';
import { GridPlanner } from '../../../harness/studies/planner/grid.ts';
import { findBrowser } from '../../../harness/trial/browser/find.ts';
import { checkStudy } from '../../../harness/trial/check.ts';
import { removeLeftovers } from '../../../harness/trial/leftovers.ts';
import { loadRegistries } from '../../../harness/trial/registries.ts';
import { runStudy } from '../../../harness/trial/study.ts';

/**
 * What `read` makes of the folder with the finished trials; trials that the host disturbed every time are not in it. A
 * study that takes longer than `mostMs` is stopped, and what it has finished is read.
 */
export async function withStudy<T>(
  name: string,
  definition: ExperimentDefinition,
  read: (folder: RunFolder) => Promise<T>,
  { mostMs }: { mostMs?: number } = {},
): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), 'coexist-bench-'));
  try {
    await removeLeftovers();
    const registries = await loadRegistries();
    const plan = makePlan(name, definition, registries);
    await checkStudy(plan, registries, false);
    const folder = RunFolder.create(join(directory, 'run'), {
      plan,
      versions: await readVersions(findBrowser()),
      createdMs: Date.now(),
    });
    const { parallel: lanes, preflight } = plan.run;
    const late = new AbortController();
    const timer =
      mostMs === undefined
        ? undefined
        : setTimeout(() => {
            late.abort(new CoexistError('timed-out', `the study took longer than ${formatDuration(mostMs)}`));
          }, mostMs);
    await runStudy({
      planner: new GridPlanner(plan, plan.trials),
      folder,
      registries,
      lanes,
      preflight,
      headed: false,
      signal: late.signal,
      progress: new ProgressPrinter(plan, process.stderr),
    })
      .catch((error: unknown) => {
        if (!late.signal.aborted) throw error;
        process.stderr.write(`${messageOf(late.signal.reason)}: it was stopped\n`);
      })
      .finally(() => clearTimeout(timer));
    return await read(folder);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
