/** The kind of study that compares conditions: it runs the same number of trials of each condition. */
import { boundOf } from '../../../core/plugins.ts';
import { shownWord } from '../../../core/text/shell.ts';
import { wholeNumber } from '../../../core/text/whole-number.ts';
import { requirePrimary } from '../../analysis/gate/primary.ts';
import { requireTrialsToJudge, resolveThresholds } from '../../analysis/gate/threshold.ts';
import { assessQuality } from '../../analysis/quality/assess.ts';
import type { Chosen } from '../../definition/applications.ts';
import { sameLines } from '../../definition/conditions.ts';
import { definitionSchema, type ExperimentDefinition } from '../../definition/define.ts';
import { loadStudy, studyNames } from '../../definition/load.ts';
import { conditionOf, experimentFormat, makePlan, type Plan } from '../../definition/plan.ts';
import { requireSame } from '../../record/kept-plan.ts';
import { RunFolder } from '../../record/run-folder.ts';
import { checkStudy, coresKeptBusy, missingTrials } from '../../trial/check.ts';
import type { RunnerRegistries } from '../../trial/registries.ts';
import { comparedRun } from '../conditions/compared.ts';
import { type ExperimentReport, finishRun, summariseRun } from '../conditions/finish.ts';
import { keptWithChanges } from '../kept-definition.ts';
import { loadReport } from '../load-report.ts';
import { loadQuantities } from '../metrics.ts';
import { GridPlanner } from '../planner/grid.ts';
import type { Running, StudyKind } from '../study.ts';
import { describePlan } from './dry-run.ts';
import { lengthWords, ProgressPrinter } from './progress.ts';
import { smallerFrames } from './smaller-frames.ts';

export const plugin: StudyKind<Plan, ExperimentDefinition> = {
  id: 'experiment',
  title: 'Conditions side by side, each as often as the others',
  source: 'Philip et al. (BBRv3 against WebRTC); each study names its own',
  params: definitionSchema,
  noun: 'study',
  format: experimentFormat,
  defaultName: 'bbr-flood',
  mostAhead: 500, // the next trial does not depend on results
  options: { repeats: { type: 'string' } },
  usage: '[--repeats N]',
  chosen: ({ repeats }) => ({
    changes: repeats === undefined ? [] : [['run.repeats', wholeNumber(String(repeats), 'repeats', 1)]],
  }),
  names: () => studyNames(),
  load: nameOrFile => loadStudy(nameOrFile),
  async makePlan(study, definition, registries, { changes }) {
    const plan = makePlan(study, definition, registries, changes);
    const quantities = await loadQuantities();
    requirePrimary(plan, quantities);
    requireTrialsToJudge(plan, resolveThresholds(plan, quantities));
    return plan;
  },
  planAgain,
  async check(plan, registries, headed) {
    await checkStudy(plan, registries, headed);
    return [];
  },
  conditions: ({ conditions }) => conditions,
  describe: describePlan,
  needs: (plan, registries) => ({
    precedence: plan.run.priority,
    cores: coresKeptBusy(plan.conditions, plan.run.parallel, registries),
    mend: most => smallerFrames(plan, registries, most),
  }),
  begin,
  records: path => RunFolder.open(path),
  finishAgain: path => finishRun(RunFolder.open(path)),
  async page(path, html, figures, addressOf) {
    const { plan } = RunFolder.open(path).planFile();
    const command = (await studyNames()).includes(plan.study) ? commandOf(plan) : null;
    return (await loadReport<ExperimentReport>('experiment')).page(html, plan, command, figures, addressOf);
  },
  gated: async plan => ({ ...plan, quantities: await loadQuantities() }),
  async compared(path) {
    const folder = RunFolder.open(path);
    return comparedRun(folder.planFile().plan, await summariseRun(folder));
  },
};

/** Returns the command that repeats a shipped study with the same settings. */
export function commandOf({ study, run, changes = [] }: Pick<Plan, 'study' | 'run' | 'changes'>): string {
  const options = [`--repeats ${run.repeats}`, ...changes.map(change => `--set ${shownWord(change)}`)];
  return `npm run experiment -- ${study} ${options.join(' ')}`;
}

/** Computes the plan of a run folder again from the definition in it. Throws `bad-run-folder` if both plans differ. */
export function planAgain(kept: Plan, registries: RunnerRegistries, path: string): Plan {
  const { study, definition, changes } = keptWithChanges(kept, path);
  return requireSame(makePlan(study, definition, registries, changes), kept, path);
}

async function begin(
  plan: Plan,
  folder: RunFolder,
  { services }: RunnerRegistries,
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
    begins: [
      `${plan.title}: ${lengthWords(plan, planner.left, all)}; results go to ${folder.path}`,
      ...sameLines(plan.conditions),
    ].join('\n'),
    async finish(signal) {
      const { failed } = planner;
      const clipOf = (service: Chosen) => boundOf(services, service, 'service').shownClip;
      await assessQuality({ folder, plan, clipOf, say: text => progress.say(text) }, signal);
      return {
        ...(await finishRun(folder)),
        missing:
          failed.length === 0
            ? null
            : `${failed.length} of ${all} trials have no valid result: ${failed.map(({ id }) => id).join(', ')}`,
        advice: planner.advice,
      };
    },
  };
}
