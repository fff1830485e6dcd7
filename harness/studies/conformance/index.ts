/**
 * The kind of study that runs test cases of the IETF with senders: a matrix of cases and senders, with a verdict for
 * each by what the case and RFC 8836 expect.
 */
import { CoexistError } from '../../../core/errors.ts';
import { shownWord } from '../../../core/text/shell.ts';
import { wholeNumber } from '../../../core/text/whole-number.ts';
import { loadStudy, type Shelf, studyNames } from '../../definition/load.ts';
import { conditionOf } from '../../definition/plan.ts';
import { requireSame } from '../../record/kept-plan.ts';
import type { RunFolder } from '../../record/run-folder.ts';
import { coresKeptBusy, missingTrials } from '../../trial/check.ts';
import type { RunnerRegistries } from '../../trial/registries.ts';
import { keptWithChanges } from '../kept-definition.ts';
import { loadReport } from '../load-report.ts';
import { loadQuantities } from '../metrics.ts';
import { GridPlanner } from '../planner/grid.ts';
import type { Change, OptionValues, Running, StudyKind } from '../study.ts';
import { checkConformance } from './check.ts';
import { type ConformanceDefinition, conformanceSchema } from './define.ts';
import { describePlan } from './dry-run.ts';
import { type ConformanceReports, finishConformance, measuredFolder, openConformance } from './finish.ts';
import { type ConformancePlan, conformanceFormat, makeConformancePlan } from './plan.ts';
import { ConformancePrinter, lengthWords } from './progress.ts';
import { comparedConformance, conformanceGated, quantitiesOf } from './results.ts';

const shelf: Shelf = { shipped: new URL('shipped/', import.meta.url), command: 'conformance' };

export const plugin: StudyKind<ConformancePlan, ConformanceDefinition> = {
  id: 'conformance',
  title: 'Test cases of the IETF, each with a verdict',
  source: 'RFC 8867; RFC 8869; RFC 8868; RFC 8836',
  params: conformanceSchema,
  noun: 'study',
  format: conformanceFormat,
  defaultName: 'conformance',
  mostAhead: 500, // the next trial does not depend on results
  options: { case: { type: 'string' }, sender: { type: 'string' }, repeats: { type: 'string' } },
  usage: '[--case a,b] [--sender a,b] [--repeats N]',
  chosen,
  names: () => studyNames(shelf),
  load: nameOrFile => loadStudy<ConformanceDefinition>(nameOrFile, shelf),
  makePlan: (study, definition, registries, { changes }) => makeConformancePlan(study, definition, registries, changes),
  planAgain,
  check: checkConformance,
  conditions: ({ conditions }) => conditions,
  describe: describePlan,
  // `cores` is 0, because cases that need too many cores have a message of the study
  needs: ({ run: { priority, parallel }, conditions }, registries) => ({
    precedence: priority,
    cores: parallel === 1 ? 0 : coresKeptBusy(conditions, parallel, registries),
    mend: most => (most < 1 ? undefined : '--set run.parallel=1'),
  }),
  begin,
  records: path => openConformance(path).folder,
  finishAgain: finishConformance,
  async page(path, html, figures, addressOf) {
    const { plan } = openConformance(path);
    const command = (await studyNames(shelf)).includes(plan.study) ? commandOf(plan) : null;
    return (await loadReport<ConformanceReports>('conformance')).page(html, plan, command, figures, addressOf);
  },
  gated: async plan => conformanceGated(plan, [...(await loadQuantities()), ...quantitiesOf()]),
  async compared(path) {
    const { plan, whole } = await measuredFolder(path);
    return comparedConformance(plan, whole);
  },
};

/** Returns the changes that `--case`, `--sender` and `--repeats` stand for. */
function chosen({ case: cases, sender, repeats }: OptionValues): { changes: Change[] } {
  const listed = (option: string, value: OptionValues[string]) => {
    const names = String(value)
      .split(',')
      .map(name => name.trim())
      .filter(name => name !== '');
    if (names.length === 0)
      throw new CoexistError('usage', `--${option} names no ${option}`, { hint: `write --${option} a,b` });
    return names;
  };
  return {
    changes: [
      ...(cases === undefined ? [] : [['cases', listed('case', cases)] as const]),
      ...(sender === undefined ? [] : [['only', listed('sender', sender)] as const]),
      ...(repeats === undefined ? [] : [['run.repeats', wholeNumber(String(repeats), 'repeats', 1)] as const]),
    ],
  };
}

/** Returns the command that repeats a shipped study with the same cases, senders and settings. */
function commandOf({ study, definition: { cases, only }, run, changes = [] }: ConformancePlan): string {
  const named = (cases ?? []).filter(one => typeof one === 'string');
  return [
    `npm run conformance -- ${study}`,
    ...(named.length === 0 ? [] : [`--case ${named.join(',')}`]),
    ...(only === undefined ? [] : [`--sender ${only.join(',')}`]),
    `--repeats ${run.repeats}`,
    ...changes.map(change => `--set ${shownWord(change)}`),
  ].join(' ');
}

/** Computes the plan of a run folder again from the definition in it. Throws `bad-run-folder` if both plans differ. */
async function planAgain(kept: ConformancePlan, registries: RunnerRegistries, path: string): Promise<ConformancePlan> {
  const { study, definition, changes } = keptWithChanges(kept, path);
  return requireSame(await makeConformancePlan(study, definition, registries, changes), kept, path);
}

async function begin(
  plan: ConformancePlan,
  folder: RunFolder<ConformancePlan>,
  _registries: RunnerRegistries,
  out: NodeJS.WriteStream,
): Promise<Running> {
  const progress = new ConformancePrinter(out);
  const missing = missingTrials(plan, folder);
  const planner = new GridPlanner(plan, missing, (condition, reason) =>
    progress.say(`${conditionOf(plan, condition).title} gets no more tries: ${reason}`),
  );
  return {
    planner,
    progress,
    begins: `${plan.title}: ${lengthWords(plan, missing)}; results go to ${folder.path}`,
    async finish() {
      const { failed } = planner;
      return {
        ...(await finishConformance(folder.path)),
        missing:
          failed.length === 0
            ? null
            : `${failed.length} of ${plan.trials.length} trials have no valid result: ${failed.map(({ id }) => id).join(', ')}`,
        advice: planner.advice,
      };
    },
  };
}
