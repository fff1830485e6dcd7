/** Planner, workers and connections of a queue, killed again and again: every trial has exactly one result. */
import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { seededRandom } from '../../core/random.ts';
import { sleep, within } from '../../core/system/deadline.ts';
import { LocalPostgres } from '../../harness/queue/local-postgres.ts';
import { PlannerKey } from '../../harness/queue/planner-key.ts';
import { RunFolder } from '../../harness/record/run-folder.ts';
import { assertNoRows } from '../unit/harness/queue/support/no-rows.ts';
import { openStore, tinyPlan } from '../unit/harness/queue/support/tiny.ts';
import { temporaryFolder } from '../unit/harness/support/folder.ts';
import { createFolder } from '../unit/harness/support/run-folder.ts';
import { cutConnection, inRandomOrder } from './support/kills.ts';

const program = (name: string) => fileURLToPath(new URL(`../unit/harness/queue/support/${name}.ts`, import.meta.url));
const kills = { worker: 14, planner: 6, connection: 10 };
const mostMs = 8 * 60e3;

test('30 kills of workers, planner and connections: no trial is lost, none is there twice', {
  timeout: mostMs + 60_000,
}, async context => {
  const parent = temporaryFolder();
  const seed = Date.now() % 1e6;
  context.diagnostic(`seed ${seed}`);
  const random = seededRandom(seed);
  const over = new AbortController();
  const postgres = await LocalPostgres.start();
  const store = await openStore(postgres.url, over.signal);
  const keyFile = join(parent, 'planner.pem');
  const { name: key } = PlannerKey.ofUser(keyFile);
  const plan = tinyPlan(90, 3);
  const folder = createFolder(parent, 'run', plan);
  folder.release();
  const start = {
    a: () => fork(program('tiny-worker'), [postgres.url, key, 'a', '400', parent], { execArgv: [] }),
    b: () => fork(program('tiny-worker'), [postgres.url, key, 'b', '400', parent], { execArgv: [] }),
    planner: () => fork(program('tiny-planner'), [postgres.url, keyFile, 'killed', folder.path], { execArgv: [] }),
  };
  const children: Record<keyof typeof start, ChildProcess> = { a: start.a(), b: start.b(), planner: start.planner() };
  const kill = async (who: keyof typeof start) => {
    children[who].kill('SIGKILL');
    if (children[who].exitCode === null && children[who].signalCode === null) await once(children[who], 'exit');
    children[who] = start[who]();
  };
  try {
    for (const what of inRandomOrder(kills, random)) {
      await sleep(800 + random.next() * 1700);
      assert.notEqual(children.planner.exitCode, 0, 'the study ended before the kills did: give it more trials');
      if (what === 'planner') await kill('planner');
      else if (what === 'worker') await kill(random.next() < 0.5 ? 'a' : 'b');
      else await cutConnection(store);
    }
    const [status] = (await within(once(children.planner, 'exit'), mostMs, 'the study to end')) as [number | null];
    assert.equal(status, 0);
    assert.deepEqual(
      RunFolder.open(folder.path).trialNames({ voided: true }),
      plan.trials.map(({ id }) => id),
    );
    assert.deepEqual(
      readdirSync(join(folder.path, 'trials')).sort(),
      plan.trials.map(({ id }) => id),
      'nothing half-written is left',
    );
    await assertNoRows(store);
    const begun = readFileSync(join(parent, 'log'), 'utf8').trim().split('\n').length;
    assert.ok(
      begun >= plan.trials.length && begun <= plan.trials.length + kills.worker + kills.connection,
      `${begun} trials were begun for ${plan.trials.length}`,
    );
    context.diagnostic(`${begun - plan.trials.length} of ${plan.trials.length} trials were begun again`);
  } finally {
    over.abort(new Error('the test is over'));
    for (const child of Object.values(children))
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
    await store.close();
    await postgres.stop();
  }
});
