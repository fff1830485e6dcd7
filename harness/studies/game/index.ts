/** The kind of study that searches games for equilibria. In an equilibrium no player gains by a switch of strategy. */
import { rmSync } from 'node:fs';
import { counted } from '../../../core/text/counted.ts';
import { inSentence } from '../../../core/text/in-sentence.ts';
import { shownWord } from '../../../core/text/shell.ts';
import { formatDuration, percent } from '../../../core/text/units.ts';
import { furtherTries } from '../../../core/vocabulary/retries.ts';
import type { Condition } from '../../definition/conditions.ts';
import { requireSame } from '../../record/kept-plan.ts';
import type { RunFolder } from '../../record/run-folder.ts';
import { coresKeptBusy } from '../../trial/check.ts';
import { loadRegistries, type RunnerRegistries } from '../../trial/registries.ts';
import { traceLines } from '../../trial/traces.ts';
import { formatEstimate } from '../estimate-words.ts';
import { keptDefinition } from '../kept-definition.ts';
import { loadReport } from '../load-report.ts';
import { loadQuantities } from '../metrics.ts';
import { overheadMs } from '../planner/durations.ts';
import { recordsOf } from '../records.ts';
import { sourceLines } from '../source-lines.ts';
import type { Running, StudyKind } from '../study.ts';
import { countStates } from './analysis/game.ts';
import { gameChanges } from './changes.ts';
import { checkGame } from './check.ts';
import { type GameDefinition, gameSchema } from './define.ts';
import { finishGame, type GameReports, measuring, readResults } from './finish.ts';
import { gameNames, loadGame } from './load.ts';
import { describeGameLink, type GamePlan, gameFormat, makeGamePlan, uniformConditions } from './plan.ts';
import { SearchPlanner } from './planner.ts';
import { GamePrinter } from './progress.ts';
import { finishGameAgain, openGame } from './report.ts';
import { comparedGame, gameGated, gameQuantities } from './results.ts';

export const plugin: StudyKind<GamePlan, GameDefinition> = {
  id: 'game',
  title: 'Who would switch? Equilibria of strategies',
  source: 'Mishra et al. (Nash equilibria of CUBIC and BBR)',
  params: gameSchema,
  noun: 'game',
  format: gameFormat,
  defaultName: 'nash-two',
  mostAhead: 16, // A search chooses the next trials by the results of earlier ones.
  names: gameNames,
  load: loadGame,
  makePlan,
  planAgain: gamePlanAgain,
  async check(plan, registries, headed) {
    await checkGame(plan, registries, headed);
    return [];
  },
  conditions: conditionsOf,
  describe: describePlan,
  needs: (plan, registries) => ({
    precedence: plan.run.priority,
    cores: coresKeptBusy(conditionsOf(plan, registries), plan.run.parallel, registries),
    mend: () => undefined,
  }),
  begin,
  records: path => recordsOf(path, gameFormat),
  finishAgain: finishGameAgain,
  async page(path, html, figures, addressOf) {
    const { plan } = openGame(path);
    const changes = await gameChanges(plan);
    const sets = changes?.map(change => `--set ${shownWord(change)}`);
    const command = sets === undefined ? null : ['npm run game --', plan.study, ...sets].join(' ');
    return (await loadReport<GameReports>('game')).page(html, plan, command, figures, addressOf);
  },
  gated: async plan => gameGated(plan, gameQuantities(plan, await loadQuantities())),
  async compared(path) {
    const { folder, plan } = openGame(path);
    return comparedGame(plan, await readResults(plan, folder, await loadRegistries()));
  },
};

async function makePlan(study: string, definition: GameDefinition, registries: RunnerRegistries): Promise<GamePlan> {
  return makeGamePlan(study, definition, registries, await loadQuantities());
}

/** Computes the plan of a run folder again from the definition in it. Throws `bad-run-folder` if both plans differ. */
export async function gamePlanAgain(kept: GamePlan, registries: RunnerRegistries, path: string): Promise<GamePlan> {
  const { study, definition } = keptDefinition(kept, path, 'game');
  return requireSame(await makePlan(study, definition, registries), kept, path);
}

/** Returns conditions in which all players use one strategy. Together they contain every service of the games. */
function conditionsOf({ cases, run }: GamePlan, registries: RunnerRegistries): Condition[] {
  return cases.flatMap(game => uniformConditions({ definition: game.definition, game, run }, registries));
}

async function begin(
  plan: GamePlan,
  folder: RunFolder<GamePlan>,
  registries: RunnerRegistries,
  out: NodeJS.WriteStream,
): Promise<Running> {
  const progress = new GamePrinter(out);
  const measure = await measuring(plan, folder, registries);
  const done = folder.trialNames().map(name => folder.trialFile(name));
  const planner = await SearchPlanner.open(
    {
      plan,
      registries,
      measure,
      onGivenUp: (condition, reason) => progress.onGivenUp(condition, reason),
      onRefused: (trial, reason) => progress.onRefused(trial, reason),
    },
    done,
  );
  // States that an earlier summary lists as given up are tried again, so the report of this run must not list them.
  if (planner.left > 0) rmSync(folder.file('summary.json'), { force: true });
  progress.watch(planner);
  return {
    planner,
    progress,
    begins: `${plan.title}: ${counted(done.length, 'trial is', 'trials are')} already done; results go to ${folder.path}`,
    async finish() {
      const { givenUp } = planner;
      return {
        ...(await finishGame(plan, folder, registries, givenUp)),
        missing:
          givenUp.size === 0 ? null : `${givenUp.size} states could not be measured: ${[...givenUp.keys()].join(', ')}`,
      };
    },
  };
}

/** Milliseconds of a trial, including start-up and teardown. */
const trialMs = ({ run }: GamePlan) => run.windowMs + run.leaveOutMs + overheadMs;

function describePlan(plan: GamePlan): string {
  const { run, cases, payoff } = plan;
  const states = (game: GamePlan['cases'][number]) => game.only?.length ?? countStates(game);
  const most = cases.reduce((sum, game) => sum + Math.min(run.trials, states(game) * run.most), 0);
  const further = furtherTries(run.retries, most);
  const estimated = (trials: number) => formatEstimate((trials * trialMs(plan)) / run.parallel);
  const tolerance = (game: GamePlan['cases'][number]) =>
    payoff.unit === 'bit/s'
      ? `${Number(((game.tolerance / game.fairShareBps) * 100).toPrecision(3))} % of the fair share`
      : `${game.tolerance} ${payoff.unit}`.trim();
  const lines = [
    plan.title,
    `  ${plan.question}`,
    ...sourceLines(plan),
    '',
    ...cases.flatMap(game => [
      `${(game.title || 'the game').padEnd(24)} ${describeGameLink(game)}`,
      `${''.padEnd(24)} ${game.groups.map(({ name, players }) => `${players} ${name}`).join(', ')}: ` +
        `${states(game)} states, a player switches for a gain of at least ${tolerance(game)}`,
    ]),
    ...traceLines(plan.cases.map(({ link }) => link)),
    '',
    ...plan.strategies.map(({ name, title }) => `${name.padEnd(24)} ${title}`),
    '',
    `payoff: ${inSentence(payoff.title)}${payoff.better === 'lower' ? ', the less the better' : ''}, ` +
      `at ${percent(plan.confidence)} confidence`,
    `each trial ${formatDuration(run.windowMs)} measured after ${formatDuration(run.leaveOutMs)}, ` +
      `at most ${run.most} trials of a state and ${run.trials} of a game, ${run.parallel} at once, seed ${run.seed}`,
    `at most ${most} trials, about ${estimated(most)}; a search takes as many as it needs to decide`,
    ...(further === 0
      ? []
      : [`up to ${further} further tries if trials are void, at most about ${estimated(most + further)}`]),
  ];
  return `${lines.join('\n')}\n`;
}
