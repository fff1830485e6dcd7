/** `npm run game`: who would switch? Searches a game for its equilibria and ends with the path of a report. */
import { join } from 'node:path';
import { CoexistError, exitStatus } from '../../core/errors.ts';
import { fileKeysOf, withFilesBeside } from '../../core/files-beside.ts';
import { runsDirectory } from '../../core/paths.ts';
import { formatDuration } from '../../core/units.ts';
import { findBrowser } from '../browser/find.ts';
import { isTree, withAssignments } from '../experiment/set.ts';
import { countStates } from '../games/analysis/game.ts';
import type { GameDefinition } from '../games/define.ts';
import { gameNames, loadGame } from '../games/load.ts';
import { checkGame } from '../games/machine/check.ts';
import { describeGameLink, gameFormat, makeGamePlan, uniformConditions } from '../games/plan.ts';
import type { GamePlan } from '../games/plan.ts';
import { SearchPlanner } from '../games/planner.ts';
import { describeUrl } from '../queue/store.ts';
import { requireSame } from '../record/kept-plan.ts';
import { RunFolder } from '../record/run-folder.ts';
import { hashesOf, requireSameSoftware } from '../record/software.ts';
import type { Software } from '../record/software.ts';
import { readVersions } from '../record/versions.ts';
import { describeCleaned, removeLeftovers } from '../runner/leftovers.ts';
import { namedFiles } from '../runner/named-files.ts';
import { loadRegistries } from '../runner/registries.ts';
import type { RunnerRegistries } from '../runner/registries.ts';
import { runStudy } from '../runner/study.ts';
import { parseArguments } from './arguments.ts';
import { stamp } from './experiment.ts';
import { finishGame, measuring } from './game-finish.ts';
import { describeAnswer, GamePrinter } from './game-progress.ts';
import { onStudyInterruption } from './interruption.ts';
import { loadMetrics } from './metrics.ts';
import { checkQueueOption, isHere, overQueue } from './over-queue.ts';
import { giveBack } from './ownership.ts';
import { formatEstimate, overheadMs } from './progress.ts';

const defaultGame = 'nash-two';

/** Trials in a queue at once: a search chooses the next ones by what came of earlier ones. */
const mostAhead = 16;

const usage =
  'npm run game -- [NAME|FILE] [--set path=value ...] [--out DIR] [--resume DIR [--despite-changes]] [--headed] [--queue local|postgres://...] [--json] [--list] [--dry-run]';

const options = {
  set: { type: 'string', multiple: true },
  out: { type: 'string' },
  resume: { type: 'string' },
  'despite-changes': { type: 'boolean' },
  headed: { type: 'boolean' },
  queue: { type: 'string' },
  json: { type: 'boolean' },
  list: { type: 'boolean' },
  'dry-run': { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

type Values = {
  set?: string[];
  out?: string;
  resume?: string;
  'despite-changes'?: boolean;
  headed?: boolean;
  queue?: string;
  json?: boolean;
};

export async function command(argv: string[]): Promise<number> {
  const { values, positionals } = parseArguments(argv, options, usage);
  if (values.help === true) return print(`${usage}\n`);
  if (values.list === true) return listGames();
  checkQueueOption(values);
  if (positionals.length > 1)
    throw new CoexistError('usage', `one game at a time: ${positionals.join(', ')}`, { hint: usage });
  const registries = await loadRegistries();
  if (values.resume !== undefined) return resume(values.resume, positionals, values, registries);
  const plan = await planOf(positionals[0] ?? defaultGame, values, registries);
  if (values['dry-run'] === true)
    return print(values.json === true ? `${JSON.stringify(plan, null, 1)}\n` : describePlan(plan));
  if (isHere(values.queue)) await checkGame(plan, registries, values.headed === true);
  const path = values.out ?? join(runsDirectory, `${plan.study}-${stamp(new Date())}`);
  const software = await softwareOf(plan, registries);
  const folder = RunFolder.create<GamePlan>(path, { plan, ...software, createdMs: Date.now() });
  return execute(plan, folder, software, registries, values);
}

async function planOf(nameOrFile: string, values: Values, registries: RunnerRegistries): Promise<GamePlan> {
  const loaded = await loadGame(nameOrFile);
  const written =
    loaded.folder === null
      ? loaded.definition
      : withFilesBeside(loaded.definition, loaded.folder, fileKeysOf(registries.services), nameOrFile);
  return makePlan(loaded.study, withAssignments(written, values.set ?? []), registries);
}

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
  const { study, definition } = kept;
  if (typeof study !== 'string' || !isTree(definition))
    throw new CoexistError('bad-run-folder', `the plan in ${path} has no definition`, { hint: 'run the game anew' });
  return requireSame(await makePlan(study, definition, registries), kept, path);
}

async function resume(
  path: string,
  positionals: string[],
  values: Values,
  registries: RunnerRegistries,
): Promise<number> {
  if (positionals.length > 0 || values.set !== undefined || values.out !== undefined) {
    throw new CoexistError('usage', '--resume goes on with the plan in the folder; it takes no game, --set or --out', {
      hint: `npm run game -- --resume ${path}`,
    });
  }
  const { plan: kept, ...before } = RunFolder.open<GamePlan>(path, gameFormat).planFile();
  const plan = await gamePlanAgain(kept, registries, path);
  if (isHere(values.queue)) await checkGame(plan, registries, values.headed === true);
  const software = await softwareOf(plan, registries);
  const changes = requireSameSoftware(before, software, {
    despiteChanges: values['despite-changes'] === true,
    again: `npm run game -- --resume ${path}`,
  });
  if (changes.length > 0) process.stderr.write(`changed since the study began: ${changes.join('; ')}\n`);
  return execute(plan, RunFolder.resume<GamePlan>(path, gameFormat), software, registries, values);
}

async function softwareOf(plan: GamePlan, registries: RunnerRegistries): Promise<Software> {
  return { versions: await readVersions(findBrowser()), files: hashesOf(gameFiles(plan, registries)) };
}

/** Whole paths of the clips, traces and scripts that a game names. */
export function gameFiles({ cases, run }: GamePlan, registries: RunnerRegistries): string[] {
  const conditions = cases.flatMap(game => uniformConditions({ definition: game.definition, game, run }, registries));
  return namedFiles(
    conditions.map(({ link }) => link),
    conditions.flatMap(({ applications }) => applications.map(({ service }) => service)),
    registries.services,
  );
}

async function execute(
  plan: GamePlan,
  folder: RunFolder<GamePlan>,
  software: Software,
  registries: RunnerRegistries,
  values: Values,
): Promise<number> {
  const printer = new GamePrinter(plan, values.json === true ? process.stderr : process.stdout);
  try {
    const cleaned = isHere(values.queue) ? describeCleaned(await removeLeftovers()) : undefined;
    if (cleaned !== undefined) printer.say(cleaned);
    const signal = onStudyInterruption(
      text => printer.say(text),
      `npm run game -- --resume ${folder.path}${values.queue === undefined ? '' : ` --queue ${describeUrl(values.queue)}`}`,
    );
    const measure = await measuring(plan, folder, registries);
    const done = folder.trialNames().map(name => folder.trialFile(name));
    const planner = await SearchPlanner.open(
      { plan, registries, measure, onGivenUp: (condition, reason) => printer.onGivenUp(condition, reason) },
      done,
    );
    printer.say(`${plan.title}: ${done.length} trials are there; results go to ${folder.path}`);
    printer.watch(planner);
    const { parallel: lanes, preflight } = plan.run;
    const study = {
      planner,
      folder,
      software,
      registries,
      preflight,
      headed: values.headed === true,
      progress: printer,
    };
    if (values.queue === undefined) await runStudy({ ...study, lanes, signal });
    else {
      const lane = { study: planner.study, places: planner.places, preflight, keep: 1, privateNetworks: false };
      await overQueue(
        {
          queue: values.queue,
          kind: 'game',
          plan,
          files: software.files,
          folder,
          lane,
          say: text => printer.say(text),
          signal,
        },
        way => runStudy({ ...study, ...way, lanes: mostAhead }),
      );
    }
    const { summary, summaryPath, reportPath } = await finishGame(plan, folder, registries, planner.givenUp);
    for (const game of summary.games) printer.say(describeAnswer(game));
    if (values.json === true) process.stdout.write(`${JSON.stringify(summary)}\n`);
    if (planner.givenUp.size > 0) {
      throw new CoexistError(
        'trials-failed',
        `${planner.givenUp.size} states could not be measured: ${[...planner.givenUp.keys()].join(', ')}`,
        {
          hint: `the report says why (${reportPath}); try them again with: npm run game -- --resume ${folder.path}`,
        },
      );
    }
    if (values.json !== true) process.stdout.write(`summary: ${summaryPath}\nreport:  ${reportPath}\n`);
    return exitStatus.done;
  } finally {
    folder.release();
    giveBack(folder.path);
  }
}

function print(text: string): number {
  process.stdout.write(text);
  return exitStatus.done;
}

async function listGames(): Promise<number> {
  const lines = [];
  for (const name of await gameNames()) lines.push(`${name.padEnd(24)} ${(await loadGame(name)).definition.title}`);
  return print(`${lines.join('\n')}\n`);
}

/** A trial with what it takes beside its window, ms. */
const trialMs = ({ run }: GamePlan) => run.windowMs + run.leaveOutMs + overheadMs;

function describePlan(plan: GamePlan): string {
  const { run, cases, payoff } = plan;
  const states = (game: GamePlan['cases'][number]) => game.only?.length ?? countStates(game);
  const most = cases.reduce((sum, game) => sum + Math.min(run.trials, states(game) * run.most), 0);
  const lines = [
    plan.title,
    `  ${plan.question}`,
    `  after ${plan.source}`,
    '',
    ...cases.flatMap(game => [
      `${(game.title || 'the game').padEnd(24)} ${describeGameLink(game)}`,
      `${''.padEnd(24)} ${game.groups.map(({ name, players }) => `${players} ${name}`).join(', ')}: ${states(game)} states, a player switches for ${payoff.unit === 'bit/s' ? `${Number(((game.tolerance / game.fairShareBps) * 100).toPrecision(3))} % of the fair share` : `${game.tolerance} ${payoff.unit}`.trim()}`,
    ]),
    '',
    ...plan.strategies.map(({ name, title }) => `${name.padEnd(24)} ${title}`),
    '',
    `payoff: ${payoff.title.toLowerCase()}${payoff.better === 'lower' ? ', the less the better' : ''}, at ${Number((plan.confidence * 100).toPrecision(4))} % confidence`,
    `each trial ${formatDuration(run.windowMs)} measured after ${formatDuration(run.leaveOutMs)}, at most ${run.most} trials of a state and ${run.trials} of a game, ${run.parallel} at once, seed ${run.seed}`,
    `at most ${most} trials, about ${formatEstimate((most * trialMs(plan)) / run.parallel)}; a search takes as many as it needs to decide`,
  ];
  return `${lines.join('\n')}\n`;
}
