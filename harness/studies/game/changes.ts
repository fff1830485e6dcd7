/**
 * Differences between a game and the shipped game of the same name. Changes by `--set` are part of the definition; the
 * plan does not list them.
 */
import { isDeepStrictEqual } from 'node:util';
import { differences } from '../../analysis/compare/differences.ts';
import { withAssignments } from '../../definition/set.ts';
import { gameNames, loadGame } from './load.ts';
import type { GamePlan } from './plan.ts';

/**
 * Returns the differences as `--set` assignments. Null if the game does not result from a shipped game with such
 * assignments.
 */
export async function gameChanges({
  study,
  definition,
}: Pick<GamePlan, 'study' | 'definition'>): Promise<string[] | null> {
  if (!(await gameNames()).includes(study)) return null;
  const shipped = JSON.parse(JSON.stringify((await loadGame(study)).definition)) as object;
  const changes = differences(shipped, definition).map(({ path, b }) => `${path}=${b}`);
  try {
    return isDeepStrictEqual(withAssignments(shipped, changes), definition) ? changes : null;
  } catch {
    return null; // a path that `--set` cannot express
  }
}
