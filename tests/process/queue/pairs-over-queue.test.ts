/** A pairwise study whose trials workers of a queue run, once and for ever. Trials take no machine. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, test } from 'node:test';
import { until } from '../../../core/system/deadline.ts';
import { runTrials } from '../../../harness/cli/run-study.ts';
import type { RunOrder, TrialOrder } from '../../../harness/queue/order.ts';
import { PlannerKey } from '../../../harness/queue/planner-key.ts';
import type { Store } from '../../../harness/queue/store.ts';
import { codeVersion } from '../../../harness/record/code-version.ts';
import { completeCycles } from '../../../harness/record/cycles.ts';
import { RunFolder } from '../../../harness/record/run-folder.ts';
import type { TrialFile } from '../../../harness/record/trial-file.ts';
import { plugin } from '../../../harness/studies/pairs/index.ts';
import { type PairsPlan, pairsFormat } from '../../../harness/studies/pairs/plan.ts';
import type { PairsSummary } from '../../../harness/studies/pairs/summary.ts';
import type { StudyKind } from '../../../harness/studies/study.ts';
import { watchStudy } from '../../../harness/studies/watch.ts';
import { useLocalStore } from '../../unit/harness/queue/support/local-store.ts';
import { assertNoRows } from '../../unit/harness/queue/support/no-rows.ts';
import { TinyCarrier } from '../../unit/harness/queue/support/tiny.ts';
import { runWorkers } from '../../unit/harness/queue/support/workers.ts';
import { contestant, plan, trials } from '../../unit/harness/studies/pairs/support/study.ts';
import { temporaryFolder } from '../../unit/harness/support/folder.ts';
import { versions } from '../../unit/harness/support/run-folder.ts';

const parent = temporaryFolder();
const keyFile = join(parent, 'planner.pem');
const rounds = 2;
const matrix = plan([contestant('one'), contestant('two')], {
  run: { stopping: 'fixed', repeats: rounds, soloRepeats: rounds },
});
const over = new AbortController();
describe('a pairwise study over a queue', () => {
  let url: string;
  let store: Store;

  useLocalStore(over, { supervise: false }, (opened, at) => {
    process.env['COEXIST_PLANNER_KEY'] = keyFile;
    [store, url] = [opened, at];
  });

  /** Each side of a pair gets 4 Mbit/s. */
  class PairsCarrier extends TinyCarrier {
    readonly #machine: string;
    constructor(machine: string) {
      super({ parent, machine, takesMs: 20 });
      this.#machine = machine;
    }

    override async run(
      run: RunOrder,
      order: TrialOrder,
      signal: AbortSignal,
    ): Promise<{ file: TrialFile; directory: string }> {
      const { directory } = await super.run(run, order, signal);
      const { id, sides } = matrix.cells.find(cell => cell.id === order.planned.condition.id)!;
      const all = trials(
        matrix,
        id,
        Array.from({ length: rounds }, () => sides.map(() => 4)),
      );
      const { file } = all.find(one => one.file.trial.id === order.planned.trial.id)!;
      return { file: { ...file, attempt: order.attempt, machine: this.#machine }, directory };
    }
  }

  const withWorkers = <T>(body: () => Promise<T>) =>
    runWorkers(
      { store, parent, key: PlannerKey.ofUser(keyFile).name },
      ['a', 'b'].map(machine => ({ machine, version: codeVersion(), carrier: new PairsCarrier(machine) })),
      body,
    );

  const software = { versions, files: {} };
  const registries = { services: new Map(), aqms: new Map(), tunnels: new Map() };

  async function run(folder: RunFolder<PairsPlan>, signal: AbortSignal) {
    const out = new PassThrough().resume() as unknown as NodeJS.WriteStream;
    const running = await plugin.begin(matrix, folder, registries, out);
    const session = {
      kind: plugin as StudyKind,
      plan: matrix,
      values: { queue: url },
      registries,
      machines: undefined,
    };
    return runTrials(session, running, folder as RunFolder<never>, software, { signal });
  }

  const names = matrix.cells.flatMap(({ id }) => [`${id}-001`, `${id}-002`]).sort();

  /** Machines of each round in a folder. */
  function machinesOf(path: string): string[][] {
    const folder = RunFolder.open<PairsPlan>(path, pairsFormat);
    assert.deepEqual(folder.trialNames({ voided: true }), names);
    const files = names.map(name => folder.trialFile(name));
    return Array.from({ length: rounds }, (_, k) => [
      ...new Set(files.filter(({ trial }) => trial.repeat === k + 1).map(({ machine }) => machine!)),
    ]);
  }

  test('every trial of every pair comes back once, each round from one machine, and nothing stays in the database', async () => {
    const folder = RunFolder.create<PairsPlan>(join(parent, 'once'), { plan: matrix, versions, createdMs: 0 });
    const { result } = await withWorkers(() => run(folder, over.signal));
    folder.release();
    assert.equal(result.missing, null);
    assert.deepEqual(
      machinesOf(folder.path).map(({ length }) => length),
      [1, 1],
    );
    assert.deepEqual(
      (result.summary as PairsSummary).cells.map(({ trials: of }) => of.length),
      matrix.cells.map(() => rounds),
    );
    await assertNoRows(store);
  });

  test('a study that goes on for ever has cycle after cycle run by workers, and keeps its site', async () => {
    const path = join(mkdtempSync(join(parent, 'watch-')), 'site');
    const enough = new AbortController();
    await withWorkers(async () => {
      const watch = watchStudy(path, {
        kind: plugin as StudyKind,
        plan: matrix,
        values: {},
        software: async () => software,
        again: '',
        signal: enough.signal,
        say: () => {},
        run: folder => run(folder as RunFolder<PairsPlan>, enough.signal),
      });
      watch.catch(() => {}); // it is waited for below
      const isSecond = () => completeCycles(path).at(-1)?.name === '0002';
      await until(() => (isSecond() ? true : undefined), 60_000, 'the second cycle to be complete');
      enough.abort(new Error('two are enough'));
      await assert.rejects(watch, /two are enough/);
    });
    for (const cycle of ['0001', '0002']) machinesOf(join(path, 'cycles', cycle));
    assert.match(readFileSync(join(path, 'index.html'), 'utf8'), /cycles\/0001\/report\.html/);
    assert.match(readFileSync(join(path, 'cycles/0002/report.html'), 'utf8'), /Against cycle 0001: /);
  });
});
