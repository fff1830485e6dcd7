/** Last step of a game: writes summary and report from the record. */
import { existsSync } from 'node:fs';
import { CoexistError } from '../../../core/errors.ts';
import { check, z } from '../../../core/schema/schema.ts';
import { shownValue } from '../../../core/text/shown-value.ts';
import type { GameReport } from '../../../reports/game/data.ts';
import type { KindReport } from '../../../reports/results/kind-report.ts';
import type { Results } from '../../analysis/summary/results.ts';
import { readJson } from '../../record/json-file.ts';
import type { RunFolder } from '../../record/run-folder.ts';
import type { TrialFile } from '../../record/trial-file.ts';
import type { RunnerRegistries } from '../../trial/registries.ts';
import { loadReport } from '../load-report.ts';
import { loadMetrics, loadQuantities } from '../metrics.ts';
import { stateNamed } from './analysis/game.ts';
import { gameChanges } from './changes.ts';
import { type GameTrial, measureTrial, payoffsOf } from './measure.ts';
import { conditionId, type GamePlan, stateOfCondition } from './plan.ts';
import type { MeasurePayoffs } from './planner.ts';
import { gameQuantities, gameResults } from './results.ts';
import { summariseGame } from './summarise.ts';
import type { GameSummary } from './summary.ts';

export type FinishedGame = { summary: GameSummary; summaryPath: string; reportPath: string; lines: string[] };
export type GameReports = KindReport<GameReport>;

/** Returns a function that computes the payoffs of a trial from the trial's folder. */
export async function measuring(
  plan: GamePlan,
  folder: RunFolder<GamePlan>,
  registries: RunnerRegistries,
): Promise<MeasurePayoffs> {
  const metrics = await loadMetrics();
  return (file, game, state) =>
    payoffsOf(file, folder.trialFolder(file.trial.id), { plan, game, state, registries, metrics });
}

async function readTrials(
  plan: GamePlan,
  folder: RunFolder<GamePlan>,
  registries: RunnerRegistries,
): Promise<GameTrial[]> {
  const metrics = await loadMetrics();
  const placeOf = ({ trial }: TrialFile) => {
    for (const game of plan.cases) {
      const id = stateOfCondition(game, trial.condition);
      const state = id === undefined ? undefined : stateNamed(game, id);
      if (state !== undefined) return { game, state };
    }
    return undefined;
  };
  const trials: GameTrial[] = [];
  const measured = new Set<string>();
  for (const name of folder.trialNames({ voided: true })) {
    const file = folder.trialFile(name);
    const place = file.verdict.status === 'invalid' || file.phases === null ? undefined : placeOf(file);
    const repeat = `${file.trial.repeat} ${file.trial.condition}`;
    if (place !== undefined && measured.has(repeat))
      throw new CoexistError(
        'bad-run-folder',
        `${folder.trialFolder(name)} is a trial that exists twice: repeat ${file.trial.repeat} of ${shownValue(file.trial.condition)}`,
        { hint: 'remove one of both folders' },
      );
    if (place !== undefined) measured.add(repeat);
    trials.push({
      name,
      file,
      measured:
        place === undefined
          ? null
          : await measureTrial(file, folder.trialFolder(name), { plan, ...place, registries, metrics }),
    });
  }
  return trials;
}

/** Computes the results of a game study from its record. */
export async function readResults(
  plan: GamePlan,
  folder: RunFolder<GamePlan>,
  registries: RunnerRegistries,
): Promise<Results> {
  return gameResults(plan, gameQuantities(plan, await loadQuantities()), await readTrials(plan, folder, registries));
}

/** Writes summary.json and then report.html. If the report exists, the summary is complete. */
export async function finishGame(
  plan: GamePlan,
  folder: RunFolder<GamePlan>,
  registries: RunnerRegistries,
  givenUp: ReadonlyMap<string, string>,
): Promise<FinishedGame> {
  const trials = await readTrials(plan, folder, registries);
  const results = gameResults(plan, gameQuantities(plan, await loadQuantities()), trials);
  const summary = summariseGame(plan, trials, givenUp, results);
  folder.writeText('summary.json', `${JSON.stringify(summary, null, 1)}\n`);
  const { versions, createdMs } = folder.planFile();
  const changes = (await gameChanges(plan)) ?? [];
  const report = await loadReport<GameReports>('game');
  const { page, lines } = await report.render({
    plan,
    versions,
    createdMs,
    summary,
    changes,
    judged: { ...results, ...summary, parties: [] },
  });
  folder.writeText('report.html', page);
  return { summary, summaryPath: folder.file('summary.json'), reportPath: folder.file('report.html'), lines };
}

/** Schema of the parts of summary.json that this file reads back. */
const givenUpSchema = z.looseObject({
  games: z.array(
    z.looseObject({ id: z.string(), givenUp: z.array(z.looseObject({ state: z.string(), reason: z.string() })) }),
  ),
});

/** Returns the reason why each state was given up, by condition. Only summary.json contains these reasons. */
export function givenUpIn(folder: RunFolder<GamePlan>): Map<string, string> {
  const path = folder.file('summary.json');
  if (!existsSync(path)) return new Map();
  const { games } = check(givenUpSchema, readJson(path), path, 'bad-run-folder');
  return new Map(
    games.flatMap(({ id, givenUp }) =>
      givenUp.map(({ state, reason }) => [conditionId({ id }, state), reason] as const),
    ),
  );
}
