/** `npm run experiment`: runs a study and ends with the path of its report. */
import { CoexistError } from '../../core/errors.ts';
import { servicesOf } from '../experiment/conditions.ts';
import { loadStudy, studyNames } from '../experiment/load.ts';
import { conditionOf, makePlan, type Plan } from '../experiment/plan.ts';
import { resolveClaims } from '../gate/claims.ts';
import { requireTrialsToJudge, resolveThresholds, type Threshold } from '../gate/threshold.ts';
import type { Quantity } from '../metrics/metric.ts';
import { GridPlanner } from '../planner/grid.ts';
import { assessQuality } from '../quality/assess.ts';
import { requireSame } from '../record/kept-plan.ts';
import type { RunFolder } from '../record/run-folder.ts';
import { checkStudy, coresKeptBusy, missingTrials } from '../runner/check.ts';
import { checkOverMachines } from '../runner/check-machines.ts';
import { namedFiles } from '../runner/named-files.ts';
import type { RunnerRegistries } from '../runner/registries.ts';
import { clipPath } from '../services/clips.ts';
import { describePlan } from './dry-run.ts';
import { finishRun } from './finish.ts';
import { missedLines, refuseMissed } from './gate.ts';
import { loadQuantities } from './metrics.ts';
import { lengthWords, ProgressPrinter } from './progress.ts';
import { smallerFrames } from './smaller-frames.ts';
import { keptDefinition, type Running, runStudyCommand, type StudyKind } from './study-command.ts';

const kind: StudyKind<Plan> = {
  command: 'experiment',
  noun: 'study',
  hasRepeats: true,
  defaultName: 'bbr-flood',
  mostAhead: 500, // the next trial does not depend on results
  names: () => studyNames(),
  load: nameOrFile => loadStudy(nameOrFile),
  async makePlan(study, definition, registries, changes) {
    const plan = makePlan(study, definition, registries, changes);
    requireTrialsToJudge(plan, refuseWrong(plan, await loadQuantities()));
    return plan;
  },
  async planAgain(kept, registries, path) {
    const plan = planAgain(kept, registries, path);
    refuseWrong(plan, await loadQuantities());
    return plan;
  },
  check: checkStudy,
  checkOverMachines,
  files: (plan, { services }) =>
    namedFiles(
      plan.conditions.map(({ link }) => link),
      servicesOf(plan.conditions),
      services,
    ),
  services: ({ conditions }) => servicesOf(conditions),
  describe: describePlan,
  needs: (plan, registries) => ({
    precedence: plan.run.priority,
    cores: coresKeptBusy(plan.conditions, plan.run.parallel, registries),
    mend: most => smallerFrames(plan, registries, most),
  }),
  begin,
};

export const command = (argv: string[]) => runStudyCommand(kind, argv);

/** What is wrong with thresholds and claims is said before anything runs. */
function refuseWrong(plan: Plan, quantities: readonly Quantity[]): readonly Threshold[] {
  resolveClaims(plan, quantities);
  return resolveThresholds(plan, quantities);
}

/** The plan of a folder, made anew from its definition. */
export function planAgain(kept: Plan, registries: RunnerRegistries, path: string): Plan {
  const { study, definition } = keptDefinition(kept, path, 'study');
  const { changes = [] } = kept;
  if (!Array.isArray(changes) || changes.some(change => typeof change !== 'string'))
    throw new CoexistError('bad-run-folder', `the changes in the plan of ${path} are no list of texts`, {
      hint: 'run the study anew',
    });
  return requireSame(makePlan(study, definition, registries, changes), kept, path);
}

async function begin(
  plan: Plan,
  folder: RunFolder,
  _registries: RunnerRegistries,
  out: NodeJS.WriteStream,
): Promise<Running> {
  const progress = new ProgressPrinter(plan, out);
  const planner = new GridPlanner(plan, missingTrials(plan, folder), (condition, reason) =>
    progress.say(`${conditionOf(plan, condition).title} gets no more tries: ${reason}`),
  );
  const all = plan.trials.length;
  return {
    planner,
    progress,
    begins: `${plan.title}: ${lengthWords(plan, planner.left, all)}; results go to ${folder.path}`,
    async finish(signal) {
      const { failed } = planner;
      await assessQuality({ folder, plan, clipPath, say: text => progress.say(text) }, signal);
      const finished = await finishRun(folder);
      return {
        ...finished,
        lines: [...finished.lines, ...missedLines(finished.summary)],
        missing:
          failed.length === 0
            ? null
            : `${failed.length} of ${all} trials have no valid result: ${failed.map(({ id }) => id).join(', ')}`,
        advice: planner.advice,
        refuse: () => refuseMissed(finished.summary, finished.reportPath),
      };
    },
  };
}
