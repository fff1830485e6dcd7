/** Summary and report of a game again, from its record. */
import { gameFormat } from '../games/plan.ts';
import type { GamePlan } from '../games/plan.ts';
import { RunFolder } from '../record/run-folder.ts';
import { loadRegistries } from '../runner/registries.ts';
import { finishGame, givenUpIn } from './game-finish.ts';
import type { FinishedGame } from './game-finish.ts';

export async function finishGameAgain(path: string): Promise<FinishedGame> {
  const folder = RunFolder.open<GamePlan>(path, gameFormat);
  return finishGame(folder.planFile().plan, folder, await loadRegistries(), givenUpIn(folder));
}
