/** A game whose trials workers of a queue run: results come in another order, and decide what is asked for next. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { overQueue } from '../../harness/cli/over-queue.ts';
import { LocalPostgres } from '../../harness/queue/local-postgres.ts';
import type { RunOrder, TrialOrder } from '../../harness/queue/order.ts';
import { PlannerKey } from '../../harness/queue/planner-key.ts';
import { codeVersion } from '../../harness/record/code-version.ts';
import { RunFolder } from '../../harness/record/run-folder.ts';
import { SearchPlanner } from '../../harness/studies/game/planner.ts';
import { runStudy } from '../../harness/trial/study.ts';
import { assertNoRows } from '../unit/harness/queue/support/no-rows.ts';
import { openStore, TinyCarrier } from '../unit/harness/queue/support/tiny.ts';
import { runWorkers } from '../unit/harness/queue/support/workers.ts';
import { fileOf, gamePlan, measure, registries, twoFlows } from '../unit/harness/studies/game/support.ts';
import { temporaryFolder } from '../unit/harness/support/folder.ts';
import { versions } from '../unit/harness/support/run-folder.ts';

const parent = temporaryFolder();

class GameCarrier extends TinyCarrier {
  override async run(run: RunOrder, order: TrialOrder, signal: AbortSignal) {
    const { directory } = await super.run(run, order, signal);
    return { file: { ...fileOf(order.planned), attempt: order.attempt }, directory };
  }
}

const silent = { onTrialStart: () => {}, onPreflight: () => {}, onLive: () => {}, onTrialEnd: () => {} };

test('a game is searched to its equilibrium, with one result of each trial', async () => {
  const keyFile = join(parent, 'planner.pem');
  process.env['COEXIST_PLANNER_KEY'] = keyFile;
  const over = new AbortController();
  const postgres = await LocalPostgres.start();
  const store = await openStore(postgres.url, over.signal);
  try {
    const plan = gamePlan(twoFlows);
    const folder = RunFolder.create(join(parent, 'game'), { plan, versions, createdMs: 0 });
    const planner = await SearchPlanner.open({ plan, registries, measure }, []);
    const lane = {
      study: planner.study,
      places: planner.places,
      priority: true,
      preflight: false,
      keep: 1,
      privateNetworks: false,
    };
    const { signal } = over;
    const way = { queue: postgres.url, kind: 'game' as const, plan, files: {}, folder, lane, say: () => {}, signal };
    const carriers = ['a', 'b'].map(machine => ({
      machine,
      version: codeVersion(),
      carrier: new GameCarrier({ parent, machine, takesMs: machine === 'a' ? 5 : 40 }),
    }));
    await runWorkers({ store, parent, key: PlannerKey.ofUser(keyFile).name }, carriers, () =>
      overQueue(way, queued =>
        runStudy({
          planner,
          folder,
          registries,
          preflight: false,
          headed: false,
          progress: silent,
          lanes: 16,
          ...queued,
        }),
      ),
    );
    folder.release();
    const [{ answer, trials }] = planner.answers() as [ReturnType<SearchPlanner['answers']>[number]];
    assert.deepEqual([answer?.kind, answer?.states], ['equilibrium', ['1bbr_1bbr']]);
    assert.equal(folder.trialNames({ voided: true }).length, trials);
    await assertNoRows(store);
  } finally {
    over.abort(new Error('the test is over'));
    await store.close();
    await postgres.stop();
  }
});
