/** `npm run game`: who would switch? Searches a game for its equilibria and ends with the path of a report. */
import { rmSync } from 'node:fs';
import { counted } from '../../core/counted.ts';
import { inSentence } from '../../core/in-sentence.ts';
import { furtherTries } from '../../core/retries.ts';
import { formatDuration } from '../../core/units.ts';
import { percent } from '../../reports/games/data.ts';
import { type Condition, servicesOf } from '../experiment/conditions.ts';
import { countStates } from '../games/analysis/game.ts';
import type { GameDefinition } from '../games/define.ts';
import { gameNames, loadGame } from '../games/load.ts';
import { checkGame } from '../games/machine/check.ts';
import { describeGameLink, type GamePlan, gameFormat, makeGamePlan, uniformConditions } from '../games/plan.ts';
import { SearchPlanner } from '../games/planner.ts';
import { overheadMs } from '../planner/durations.ts';
import { requireSame } from '../record/kept-plan.ts';
import type { RunFolder } from '../record/run-folder.ts';
import { coresKeptBusy } from '../runner/check.ts';
import { namedFiles } from '../runner/named-files.ts';
import type { RunnerRegistries } from '../runner/registries.ts';
import { traceLines } from '../runner/traces.ts';
import { sourceLines } from './dry-run.ts';
import { finishGame, measuring } from './game-finish.ts';
import { describeAnswer, GamePrinter } from './game-progress.ts';
import { loadMetrics } from './metrics.ts';
import { formatEstimate } from './progress.ts';
import { keptDefinition, type Running, runStudyCommand, type StudyKind } from './study-command.ts';

const kind: StudyKind<GamePlan> = {
  command: 'game',
  noun: 'game',
  hasRepeats: false,
  defaultName: 'nash-two',
  format: gameFormat,
  mostAhead: 16, // a search chooses the next trials by what came of earlier ones
  names: gameNames,
  load: loadGame,
  makePlan,
  planAgain: gamePlanAgain,
  check: checkGame,
  files: gameFiles,
  services: (plan, registries) => servicesOf(conditionsOf(plan, registries)),
  describe: describePlan,
  needs: (plan, registries) => ({
    precedence: plan.run.priority,
    cores: coresKeptBusy(conditionsOf(plan, registries), plan.run.parallel, registries),
    mend: () => undefined,
  }),
  begin,
};

export const command = (argv: string[]) => runStudyCommand(kind, argv);

async function makePlan(study: string, definition: GameDefinition, registries: RunnerRegistries): Promise<GamePlan> {
  return makeGamePlan(
    study,
    definition,
    registries,
    (await loadMetrics()).flatMap(({ quantities }) => quantities),
  );
}

/** The plan of a folder, made anew from its definition. */
export async function gamePlanAgain(kept: GamePlan, registries: RunnerRegistries, path: string): Promise<GamePlan> {
  const { study, definition } = keptDefinition(kept, path, 'game');
  return requireSame(await makePlan(study, definition, registries), kept, path);
}

/** Whole paths of the clips, traces and scripts that a game names. */
export function gameFiles(plan: GamePlan, registries: RunnerRegistries): string[] {
  const conditions = conditionsOf(plan, registries);
  return namedFiles(
    conditions.map(({ link }) => link),
    servicesOf(conditions),
    registries.services,
  );
}

/** Those in which all play alike: nothing else is used in any other. */
function conditionsOf({ cases, run }: GamePlan, registries: RunnerRegistries): Condition[] {
  return cases.flatMap(game => uniformConditions({ definition: game.definition, game, run }, registries));
}

async function begin(
  plan: GamePlan,
  folder: RunFolder<GamePlan>,
  registries: RunnerRegistries,
  out: NodeJS.WriteStream,
): Promise<Running> {
  const progress = new GamePrinter(plan, out);
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
  // states that an earlier summary calls given up are tried again: a report of what this run leaves must not know them
  if (planner.left > 0) rmSync(folder.file('summary.json'), { force: true });
  progress.watch(planner);
  return {
    planner,
    progress,
    begins: `${plan.title}: ${counted(done.length, 'trial is', 'trials are')} already done; results go to ${folder.path}`,
    async finish() {
      const { givenUp } = planner;
      const finished = await finishGame(plan, folder, registries, givenUp);
      return {
        ...finished,
        lines: finished.summary.games.map(describeAnswer),
        missing:
          givenUp.size === 0 ? null : `${givenUp.size} states could not be measured: ${[...givenUp.keys()].join(', ')}`,
      };
    },
  };
}

/** A trial with what it takes beside its window, ms. */
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
