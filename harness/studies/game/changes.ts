/**
 * Differences between a game and the shipped game of its name. Changes by `--set` are in its definition, not in its
 * plan.
 */
import { isDeepStrictEqual } from 'node:util';
import { differences } from '../../analysis/compare/differences.ts';
import { withAssignments } from '../../definition/set.ts';
import { gameNames, loadGame } from './load.ts';
import type { GamePlan } from './plan.ts';

/** Returns the changes in the form of `--set`. Null if no such changes turn a shipped game into this one. */
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
