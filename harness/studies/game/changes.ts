/** What a game changed of the shipped one of its name: changes by `--set` are in its definition, not in its plan. */
import { isDeepStrictEqual } from 'node:util';
import { differences } from '../../analysis/compare/differences.ts';
import { withAssignments } from '../../definition/set.ts';
import { gameNames, loadGame } from './load.ts';
import type { GamePlan } from './plan.ts';

/** As after `--set`; null where no shipped game becomes this one by such changes. */
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
    return null; // a path that no --set can name
  }
}
