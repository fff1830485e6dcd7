/** Writes summary and report of a game study again, from its record. */

import { RunFolder } from '../../record/run-folder.ts';
import { loadRegistries } from '../../trial/registries.ts';
import { type FinishedGame, finishGame, givenUpIn } from './finish.ts';
import { type GamePlan, gameFormat } from './plan.ts';
import { checkGamePlan } from './reported-plan.ts';

/**
 * Opens the run folder of a game study and returns it with the plan. Throws `bad-run-folder` if no report can be made
 * from the folder.
 */
export function openGame(path: string): { folder: RunFolder<GamePlan>; plan: GamePlan } {
  const folder = RunFolder.open<GamePlan>(path, gameFormat);
  const { plan } = folder.planFile();
  checkGamePlan(plan, folder.file('plan.json'));
  return { folder, plan };
}

export async function finishGameAgain(path: string): Promise<FinishedGame> {
  const { folder, plan } = openGame(path);
  return finishGame(plan, folder, await loadRegistries(), givenUpIn(folder));
}
