/** Checks that this machine can run a game: root, cores, links, and every strategy. Starts no trial. */
import { checkConditions, checkRoot } from '../../trial/check.ts';
import type { RunnerRegistries } from '../../trial/registries.ts';
import { mixedState, uniformState } from './analysis/game.ts';
import type { GamePlan } from './plan.ts';
import { conditionOfState } from './players.ts';

/**
 * Throws if the machine cannot run the game. Each strategy is checked in the state in which all players use it, and
 * each pair of strategies in a state with both. `can`: capabilities of another kernel, for tests.
 */
export async function checkGame(
  plan: GamePlan,
  registries: RunnerRegistries,
  headed: boolean,
  can?: Parameters<typeof checkConditions>[4],
): Promise<void> {
  checkRoot('a game needs');
  const { run, cases } = plan;
  const conditions = cases.flatMap(game => {
    const pairs = game.strategies.flatMap((one, k) =>
      game.strategies.slice(k + 1).map((other, n) => ({ id: `${one} beside ${other}`, of: [k, k + 1 + n] as const })),
    );
    const states = [
      ...game.strategies.map((strategy, k) => ({ state: uniformState(game, k), id: `all ${strategy}` })),
      ...pairs.map(({ id, of }) => ({ state: mixedState(game, of), id })),
    ];
    return states.map(({ state, id }) =>
      conditionOfState({ definition: game.definition, game, run }, state, { round: 1, id, title: id }, registries),
    );
  });
  await checkConditions(
    conditions,
    { parallel: run.parallel, windowMs: run.windowMs, besideMs: run.leaveOutMs, besideSettings: 'run.leaveOut' },
    registries,
    headed,
    can,
  );
}
