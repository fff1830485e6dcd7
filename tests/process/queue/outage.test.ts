/** The database goes away under planner and worker, and is back: the study goes on, and nothing is done twice. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { sleep, until } from '../../../core/system/deadline.ts';
import { LocalPostgres } from '../../../harness/queue/local-postgres.ts';
import { PlannerKey } from '../../../harness/queue/planner-key.ts';
import { assertNoRows } from '../../unit/harness/queue/support/no-rows.ts';
import { stopServer } from '../../unit/harness/queue/support/outage.ts';
import { openStore, runOverQueue, TinyCarrier, tinyPlan } from '../../unit/harness/queue/support/tiny.ts';
import { runWorkers } from '../../unit/harness/queue/support/workers.ts';
import { temporaryFolder } from '../../unit/harness/support/folder.ts';
import { createFolder } from '../../unit/harness/support/run-folder.ts';

test('when the database is stopped and started again, both are reported, and every trial is run once', async () => {
  const parent = temporaryFolder();
  const log = join(parent, 'log');
  const key = PlannerKey.temporary();
  const over = new AbortController();
  const postgres = await LocalPostgres.start();
  const said = { planner: [] as string[], worker: [] as string[] };
  const open = (who: keyof typeof said, supervise: boolean) =>
    openStore(postgres.url, over.signal, { supervise, say: text => said[who].push(text) });
  const [planner, worker] = [await open('planner', true), await open('worker', false)];
  let restarted: { end(): Promise<void> } | undefined;
  try {
    const plan = tinyPlan(4, 2);
    const folder = createFolder(parent, 'run', plan);
    const carrier = new TinyCarrier({ parent, log, machine: 'a', takesMs: 400 });
    await runWorkers({ store: worker, parent, key: key.name }, [{ carrier }], async () => {
      const study = runOverQueue({ store: planner, key, run: 'outage', plan, folder, signal: over.signal });
      study.catch(() => {}); // it is waited for below
      await until(() => (folder.trialNames().length > 0 ? true : undefined), 20_000, 'the first result');
      const server = await stopServer(postgres.url);
      const before = folder.trialNames().length;
      await sleep(1500); // the worker ends its trial meanwhile, and cannot hand it in
      assert.equal(folder.trialNames().length, before);
      restarted = await server.start();
      assert.deepEqual(await study, []);
    });
    assert.deepEqual(
      folder.trialNames({ voided: true }),
      plan.trials.map(({ id }) => id),
    );
    assert.deepEqual(
      readFileSync(log, 'utf8').trim().split('\n').sort(),
      plan.trials.map(({ id }) => `${id} a`),
    );
    for (const lines of Object.values(said)) {
      assert.match(lines[0]!, /^the queue's database cannot be reached \(.*\); trying again$/);
      assert.equal(lines.at(-1), "the queue's database can be reached again");
    }
    await assertNoRows(planner);
  } finally {
    over.abort(new Error('the test is over'));
    await worker.close();
    await planner.close();
    await restarted?.end();
    await postgres.stop();
  }
});
