/** Whether this machine can run a game: root, cores, links, and every strategy. Nothing is started. */
import { checkConditions, checkRoot } from '../../runner/check.ts';
import type { RunnerRegistries } from '../../runner/registries.ts';
import { uniformState } from '../analysis/game.ts';
import type { GamePlan } from '../plan.ts';
import { conditionOfState } from '../players.ts';

/** A strategy that cannot run is told by its state, in which all play it. `can`: of another kernel, for tests. */
export async function checkGame(
  plan: GamePlan,
  registries: RunnerRegistries,
  headed: boolean,
  can?: Parameters<typeof checkConditions>[4],
): Promise<void> {
  checkRoot('a game needs');
  const { run, cases } = plan;
  const conditions = cases.flatMap(game =>
    game.strategies.map((strategy, k) =>
      conditionOfState(
        { definition: game.definition, game, run },
        uniformState(game, k),
        { round: 1, id: `all ${strategy}`, title: strategy },
        registries,
      ),
    ),
  );
  await checkConditions(
    conditions,
    { parallel: run.parallel, windowMs: run.windowMs, besideMs: run.leaveOutMs, besideSettings: 'run.leaveOut' },
    registries,
    headed,
    can,
  );
}
