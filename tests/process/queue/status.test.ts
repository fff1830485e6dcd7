/** What a queue says of itself, and who gets no trials. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { until } from '../../../core/system/deadline.ts';
import { endRun } from '../../../harness/queue/end-run.ts';
import type { NoiseFloor } from '../../../harness/queue/noise-floor.ts';
import { PlannerKey } from '../../../harness/queue/planner-key.ts';
import { helpersOf, readStatus } from '../../../harness/queue/status.ts';
import type { Store } from '../../../harness/queue/store.ts';
import { WorkerSide } from '../../../harness/queue/worker-side.ts';
import { useLocalStore } from '../../unit/harness/queue/support/local-store.ts';
import { code, runOverQueue, TinyCarrier, tinyPlan } from '../../unit/harness/queue/support/tiny.ts';
import { runWorkers } from '../../unit/harness/queue/support/workers.ts';
import { temporaryFolder } from '../../unit/harness/support/folder.ts';
import { createFolder } from '../../unit/harness/support/run-folder.ts';

const parent = temporaryFolder();
const key = PlannerKey.temporary();
const over = new AbortController();
describe('the status of a queue', () => {
  let store: Store;

  useLocalStore(over, { supervise: true }, opened => {
    store = opened;
  });

  const noisy: NoiseFloor = { passed: false, said: '3 of 3 trials were void: the machine was 99 % busy' };
  const quiet: NoiseFloor = { passed: true, said: 'no stall in 3 trials' };

  /** Its noise floor is as told, one after the other; the last one stays. */
  class Unsteady extends TinyCarrier {
    readonly #floors: NoiseFloor[];
    constructor(log: string, machine: string, floors: NoiseFloor[]) {
      super({ parent, log, machine });
      this.#floors = floors;
    }

    override async noiseFloor(): Promise<NoiseFloor> {
      return this.#floors.length > 1 ? this.#floors.shift()! : this.#floors[0]!;
    }
  }

  test('a machine whose noise floor does not pass gets no trials until it does', async () => {
    const log = join(parent, 'floor.log');
    const plan = tinyPlan(4, 1);
    const folder = createFolder(parent, 'floor', plan);
    const hands = [
      { machine: 'noisy', carrier: new Unsteady(log, 'noisy', [noisy]) },
      { machine: 'better', carrier: new Unsteady(log, 'better', [noisy, noisy, quiet]) },
    ];
    const { said } = await runWorkers({ store, parent, key: key.name }, hands, async () => {
      await runOverQueue({ store, key, run: 'floor', plan, folder, signal: over.signal });
      // a machine that does not pass measures again and again, and has no floor meanwhile
      const { workers } = await until(
        async () => {
          const status = await readStatus(store);
          return status.workers.every(({ doing, floor }) => doing === null && floor !== null) ? status : undefined;
        },
        20_000,
        'workers without a trial, of which none measures its noise floor',
      );
      assert.deepEqual(
        workers.map(({ machine, floor, doing }) => [machine, floor, doing]),
        [
          ['better', quiet, null],
          ['noisy', noisy, null],
        ],
      );
      const { machines, refusals } = await until(
        async () => {
          const helpers = await helpersOf(store, 'floor', code);
          return helpers.refusals.every(({ reason }) => reason !== 'it measures its noise floor') ? helpers : undefined;
        },
        20_000,
        'machines that have measured',
      );
      assert.deepEqual(machines, ['better']);
      assert.deepEqual(refusals, [{ machine: 'noisy', reason: `its noise floor does not pass: ${noisy.said}` }]);
    });
    assert.equal(folder.trialNames().length, 4);
    const machines = readFileSync(log, 'utf8')
      .trim()
      .split('\n')
      .map(line => line.split(' ')[1]);
    assert.deepEqual([...new Set(machines)], ['better']);
    const refused = `the noise floor of this machine does not pass, so it gets no trials: ${noisy.said}`;
    assert.ok(said.filter(line => line === refused).length >= 3);
    assert.equal(said.filter(line => line === `noise floor: ${quiet.said}`).length, 1);
  });

  test('the status lists waiting, running, returned and failed trials, and a run can be removed', async () => {
    const plan = tinyPlan(3, 1);
    const folder = createFolder(parent, 'told', plan);
    const stop = new AbortController();
    const planner = runOverQueue({ store, key, run: 'told', plan, folder, signal: stop.signal });
    planner.catch(() => {});
    const statusOf = async () => (await readStatus(store)).runs.find(({ id }) => id === 'told');
    await until(
      async () => ((await statusOf())?.waiting === 3 ? true : undefined),
      20_000,
      'three trials in the queue',
    );
    assert.equal((await statusOf())!.helpers, 0);
    const worker = new WorkerSide(store, 'a', code);
    await worker.announce(null);
    const taken = await until(() => worker.take('told'), 20_000, 'a trial');
    await worker.giveBack(taken, 'the disk is full');
    await worker.tellFloor(quiet);
    const { returned } = (await statusOf())!;
    assert.deepEqual(
      returned.map(({ times, reason }) => ({ times, reason })),
      [{ times: 1, reason: 'a: the disk is full' }],
    );
    const again = await until(() => worker.take('told'), 20_000, 'the same or another trial');
    const { waiting, running, done, failed, helpers, rounds } = (await statusOf())!;
    assert.deepEqual(
      { waiting, running, done, failed, helpers },
      { waiting: 2, running: 1, done: 0, failed: [], helpers: 1 },
    );
    assert.ok(rounds['a']! >= 1);
    stop.abort(new Error('killed'));
    await assert.rejects(planner, /killed/);
    await endRun(store, 'told');
    assert.equal(await statusOf(), undefined);
    assert.equal(await worker.keep(again), false, 'what runs of it is over, too');
    assert.deepEqual(await store.boss.getQueues(), []);
    await worker.leave();
  });
});
