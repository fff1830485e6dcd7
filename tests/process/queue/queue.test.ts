/** A whole study through planner, queue and workers, on a PostgreSQL of its own. Trials take no machine. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { CoexistError } from '../../../core/errors.ts';
import { sleep, until, within } from '../../../core/system/deadline.ts';
import { orderFormat } from '../../../harness/queue/order.ts';
import type { Output } from '../../../harness/queue/output.ts';
import { PlannerKey } from '../../../harness/queue/planner-key.ts';
import { PlannerSide } from '../../../harness/queue/planner-side.ts';
import type { Store } from '../../../harness/queue/store.ts';
import { queueOf } from '../../../harness/queue/tables.ts';
import { type Taken, WorkerSide } from '../../../harness/queue/worker-side.ts';
import type { TrialFile } from '../../../harness/record/trial-file.ts';
import type { Planned } from '../../../harness/studies/planner/planner.ts';
import { useLocalStore } from '../../unit/harness/queue/support/local-store.ts';
import { assertNoRows } from '../../unit/harness/queue/support/no-rows.ts';
import {
  code,
  fileOfPlanned,
  orderOf,
  runOverQueue,
  TinyCarrier,
  tinyPlan,
} from '../../unit/harness/queue/support/tiny.ts';
import { type Hand, runWorkers } from '../../unit/harness/queue/support/workers.ts';
import { temporaryFolder } from '../../unit/harness/support/folder.ts';
import { createFolder } from '../../unit/harness/support/run-folder.ts';

const parent = temporaryFolder();
const key = PlannerKey.temporary();
const over = new AbortController();
describe('a queue', () => {
  let store: Store;
  let runs = 0;

  useLocalStore(over, { supervise: true }, opened => {
    store = opened;
  });

  const withWorkers = <T>(hands: Hand[], body: () => Promise<T>) =>
    runWorkers({ store, parent, key: key.name }, hands, body);

  function study(repeats: number, conditions: number) {
    const run = `test${++runs}`;
    const plan = tinyPlan(repeats, conditions);
    const folder = createFolder(parent, run, plan);
    const start = (options: { signal?: AbortSignal; say?: (text: string) => void } = {}) =>
      runOverQueue({ store, key, run, plan, folder, signal: over.signal, ...options });
    return { run, plan, folder, start, log: join(parent, `${run}.log`) };
  }

  const linesOf = (log: string) => readFileSync(log, 'utf8').trim().split('\n').sort();

  test('every trial has one result, with the files of its record, and nothing stays in the database', async () => {
    const { plan, folder, start, log } = study(5, 2);
    const { result } = await withWorkers([{ carrier: new TinyCarrier({ parent, log, machine: 'a' }) }], () => start());
    assert.deepEqual(result, []);
    assert.deepEqual(
      folder.trialNames({ voided: true }),
      plan.trials.map(({ id }) => id),
    );
    assert.deepEqual(
      linesOf(log),
      plan.trials.map(({ id }) => `${id} a`),
    );
    for (const { id } of plan.trials) {
      assert.equal(
        readFileSync(join(folder.trialFolder(id), 'ping.jsonl'), 'utf8'),
        `{"trial":"${id}","machine":"a"}\n`,
      );
      assert.equal(folder.trialFile(id).trial.id, id);
    }
    await assertNoRows(store);
    assert.deepEqual(await store.boss.getQueues(), []);
  });

  test('a record that cannot be kept ends the study, though another trial still runs', async () => {
    const { folder, start } = study(1, 2);
    folder.commit = () => {
      throw new CoexistError('disk-full', 'the disk is full');
    };
    let begun = 0;
    const carrier = new (class extends TinyCarrier {
      override async run(...task: Parameters<TinyCarrier['run']>) {
        if (++begun > 1) await sleep(60_000, task[2]);
        return super.run(...task);
      }
    })({ parent });
    await withWorkers([{ carrier }], () =>
      assert.rejects(within(start(), 20_000, 'the study to end'), { code: 'disk-full' }),
    );
    assert.deepEqual(folder.trialNames({ voided: true }), []);
  });

  test('a whole repeat goes to one machine, and both machines get repeats', async () => {
    const { plan, folder, start } = study(8, 3);
    await withWorkers(
      ['a', 'b'].map(machine => ({ machine, carrier: new TinyCarrier({ parent, machine, takesMs: 30 }) })),
      () => start(),
    );
    const machineOf = (id: string) =>
      /"machine":"(\w)"/.exec(readFileSync(join(folder.trialFolder(id), 'ping.jsonl'), 'utf8'))![1]!;
    const repeats = Map.groupBy(plan.trials, ({ repeat }) => repeat);
    const machines = [...repeats.values()].map(trials => new Set(trials.map(({ id }) => machineOf(id))));
    assert.deepEqual(
      machines.map(({ size }) => size),
      Array(8).fill(1),
    );
    assert.deepEqual([...new Set(machines.flatMap(set => [...set]))].sort(), ['a', 'b']);
  });

  test('a planner that starts again finds what was done meanwhile, and nothing is run twice', async () => {
    const { plan, folder, start, log } = study(3, 2);
    const stop = new AbortController();
    const words: string[] = [];
    const say = (text: string) => void words.push(text);
    const { said } = await withWorkers([{ carrier: new TinyCarrier({ parent, log, takesMs: 50 }) }], async () => {
      const first = start({ signal: stop.signal, say });
      first.catch(() => {});
      await until(() => (folder.trialNames().length > 0 ? true : undefined), 20_000, 'the first result');
      stop.abort(new Error('killed'));
      await assert.rejects(first, /killed/);
      await until(
        async () => ((await store.rows('select from coexist.trial where not ended')).length === 0 ? true : undefined),
        20_000,
        'the worker to do the rest',
      );
      assert.ok(folder.trialNames().length < plan.trials.length);
      await start({ say });
    });
    assert.deepEqual(
      folder.trialNames({ voided: true }),
      plan.trials.map(({ id }) => id),
    );
    assert.deepEqual(
      linesOf(log),
      plan.trials.map(({ id }) => `${id} tiny`),
      `planner: ${words.join('; ')}; worker: ${said.join('; ')}`,
    );
  });

  /** How many records were in their place when each trial of a study was begun, whose planner is on that machine. */
  async function takenInAtEachStart(machine: string) {
    const { run, plan, folder } = study(4, 1);
    const seen: number[] = [];
    class Looking extends TinyCarrier {
      override run(...args: Parameters<TinyCarrier['run']>) {
        seen.push(folder.trialNames().length);
        return super.run(...args);
      }
    }
    await withWorkers([{ machine: 'here', carrier: new Looking({ parent, machine: 'here' }) }], () =>
      runOverQueue({ store, key, run, plan, folder, signal: over.signal, machine }),
    );
    return seen;
  }

  test("a worker on its planner's machine begins a trial when the record before it is in its place, and others at once", async () => {
    assert.deepEqual(await takenInAtEachStart('here'), [0, 1, 2, 3]);
    const elsewhere = await takenInAtEachStart('there');
    assert.ok(
      elsewhere.some((taken, k) => taken < k),
      String(elsewhere),
    );
  });

  /** A run with one trial in the queue, and whoever waits for it. */
  async function oneTrial() {
    const { run, plan, folder } = study(1, 1);
    const [trial] = plan.trials;
    const planned = {
      trial: trial!,
      condition: plan.conditions[0]!,
      times: { windowMs: 1000, settleMs: 0, coolDownMs: 0, queueLog: 'off', pcap: false, externalLossRatio: null },
      places: [0],
    } satisfies Planned;
    const said: string[] = [];
    const side = await PlannerSide.open({
      store,
      key,
      order: orderOf(run, plan),
      say: text => said.push(text),
      signal: over.signal,
    });
    const came = side.run(planned, 1, () => folder.begin(trial!.id), over.signal);
    const take = async (worker: WorkerSide): Promise<Taken> => until(() => worker.take(run), 20_000, 'the trial');
    const file = fileOfPlanned('study', { planned, attempt: 1 });
    /** The folder of the trial's record, as that machine would write it. */
    const record = async (machine: string) =>
      (
        await new TinyCarrier({ parent, machine }).run(
          orderOf(run, plan),
          { format: orderFormat, run, job: '', planned, attempt: 1 },
          over.signal,
        )
      ).directory;
    return { run, planned, folder, said, side, came, take, file, record };
  }

  test('a trial that was given to another worker cannot be handed in by the first: nothing changes', async () => {
    const { side, came, take, file, run, record } = await oneTrial();
    const [slow, quick] = [new WorkerSide(store, 'slow', code), new WorkerSide(store, 'quick', code)];
    await slow.announce(null);
    const first = await take(slow);
    assert.equal(await slow.keep(first), true);
    // what the supervisor does where no heartbeat came
    await store.boss.fail(queueOf(run), { id: first.job, retryCount: first.taken }, { reason: 'no heartbeat' });
    await slow.leave(); // so that its repeat is free
    const second = await take(quick);
    assert.equal(second.taken, first.taken + 1);
    assert.equal(await slow.keep(first), false);
    assert.equal(
      await slow.complete(first, { file: { ...file, cpuRatio: { stale: 1 } } }, await record('slow')),
      false,
    );
    await slow.giveBack(first, 'it is not mine');
    assert.deepEqual(await store.rows('select from coexist.chunk where job = $1', [first.job]), []);
    const fresh = await record('quick');
    assert.equal(await quick.complete(second, { file }, fresh), true);
    assert.equal(await quick.complete(second, { file }, fresh), true, 'an answer that was lost is asked for again');
    assert.deepEqual(
      (await store.rows<{ machine: string }>('select machine from coexist.result where job = $1', [first.job])).map(
        ({ machine }) => machine,
      ),
      ['quick'],
    );
    const result = await came;
    assert.ok(
      'file' in result &&
        result.file.cpuRatio === null &&
        /"machine":"quick"/.test(readFileSync(join(result.directory, 'ping.jsonl'), 'utf8')),
    );
    await side.close(true);
    await quick.leave();
  });

  test('a trial that no worker finishes fails, with the last reason', async () => {
    const { side, came, take } = await oneTrial();
    const worker = new WorkerSide(store, 'a', code);
    await worker.announce(null);
    for (let k = 0; k < 5; k++) await worker.giveBack(await take(worker), `it broke ${k}`);
    assert.deepEqual(await came, {
      lost: 'it was given to workers 5 times, and none finished it; last reason: a: it broke 4',
    });
    assert.equal((await store.rows('select from pgboss.job where name like $1', ['dead-%'])).length, 1);
    await side.close(true);
    await worker.leave();
  });

  test('the planner refuses a record whose pieces were changed, reports the damage and asks for it again', async () => {
    const { side, came, take, file, said, record } = await oneTrial();
    const worker = new WorkerSide(store, 'a', code);
    await worker.announce(null);
    const hand = async (spoil: boolean) => {
      const taken = await take(worker);
      // on their way into the database, so that the planner cannot be faster
      if (spoil)
        await store.rows(
          'create or replace function coexist.spoil() returns trigger language plpgsql as $$ begin new.bytes := ' +
            'substr(new.bytes, 1, length(new.bytes) - 4); return new; end $$; create trigger spoil before insert on ' +
            'coexist.chunk for each row execute function coexist.spoil()',
        );
      try {
        assert.equal(await worker.complete(taken, { file }, await record('a')), true);
      } finally {
        if (spoil) await store.rows('drop trigger spoil on coexist.chunk; drop function coexist.spoil()');
      }
      return taken.job;
    };
    const first = await hand(true);
    assert.notEqual(await hand(false), first);
    assert.ok('file' in (await came));
    assert.match(
      said.join('\n'),
      /^0001-\S+: record refused: the record from a is damaged: piece 1 of 1 cannot be read: .*; the trial is run again$/,
    );
    await side.close(true);
    await worker.leave();
  });

  test('the planner refuses a result that is not a record of the trial, and the trial is run again', async () => {
    for (const forge of [
      [() => null, file => ({ file: { trial: { id: file.trial.id }, attempt: 1, verdict: file.verdict } })],
      [
        file => ({ file: { ...file, attempt: 2 } }),
        file => ({ file: { ...file, condition: { ...file.condition, title: 'x' } } }),
      ],
      [file => ({ file: { ...file, applications: [{ name: '../x' }] } }), () => ({ refusal: { code: 5 } })],
    ] satisfies ((file: TrialFile) => unknown)[][]) {
      const { side, came, take, file, said, record, folder, planned } = await oneTrial();
      const worker = new WorkerSide(store, 'a', code);
      await worker.announce(null);
      for (const output of forge)
        assert.equal(await worker.complete(await take(worker), output(file) as Output, await record('a')), true);
      assert.equal(await worker.complete(await take(worker), { file }, await record('a')), true);
      const result = await came;
      assert.ok('file' in result);
      assert.equal(said.length, forge.length);
      for (const line of said)
        assert.match(
          line,
          /^0001-\S+: record refused: the record from a (is damaged: .+|belongs to another trial); the trial is run again$/,
        );
      folder.commit(result.directory, result.file);
      assert.deepEqual(folder.trialNames({ voided: true }), [planned.trial.id]);
      assert.deepEqual(folder.trialFile(planned.trial.id), file);
      await side.close(true);
      await worker.leave();
    }
  });

  test('the planner refuses the result of a worker of another version, and that worker gets no more trials of the run', async () => {
    const { side, came, take, file, said, record } = await oneTrial();
    const [liar, honest] = [new WorkerSide(store, 'liar', '0.9/old'), new WorkerSide(store, 'honest', code)];
    await liar.announce(null);
    assert.equal(await liar.complete(await take(liar), { file }, null), true);
    await until(() => (said.length > 0 ? true : undefined), 30_000, 'the planner to say so');
    assert.match(
      said[0]!,
      new RegExp(`worker ${liar.id} on liar ran version 0.9/old, not ${code}; the trial is run again`),
    );
    await liar.leave();
    assert.equal(await honest.complete(await take(honest), { file }, await record('honest')), true);
    assert.ok('file' in (await came));
    assert.equal((await store.rows('select from coexist.refusal where worker = $1', [liar.id])).length, 1);
    await side.close(true);
  });

  test('workers of another version, that do not trust the planner, or that cannot run the study get no trials', async () => {
    const { folder, start, log } = study(1, 2);
    class Weak extends TinyCarrier {
      override refusal() {
        return Promise.resolve('it has no bbr');
      }
    }
    const { said } = await withWorkers(
      [
        { machine: 'old', version: '0.9/old', carrier: new TinyCarrier({ parent, log, machine: 'old' }) },
        {
          machine: 'wary',
          trusted: PlannerKey.temporary().name,
          carrier: new TinyCarrier({ parent, log, machine: 'wary' }),
        },
        { machine: 'weak', carrier: new Weak({ parent, log, machine: 'weak' }) },
        { machine: 'fit', carrier: new TinyCarrier({ parent, log, machine: 'fit', takesMs: 700 }) },
      ],
      () => start(),
    );
    assert.equal(folder.trialNames().length, 2);
    assert.deepEqual(
      linesOf(log).map(line => line.split(' ')[1]),
      ['fit', 'fit'],
    );
    assert.match(
      said.join('\n'),
      /takes no trials of run \S+: it is signed with the key \S+, which is not in this worker's --trust/,
    );
    assert.match(said.join('\n'), /takes no trials of run \S+: it has no bbr/);
  });

  test("whoever has the database's password but no key cannot make a worker run anything", async () => {
    const { run, side, came, planned } = await oneTrial();
    const foreign = PlannerKey.temporary();
    const text = (change: object) =>
      JSON.stringify({
        format: orderFormat,
        run,
        job: 'ed0f6a0e-0000-5000-8000-000000000000',
        planned,
        attempt: 1,
        ...change,
      });
    const forged = [
      {},
      null,
      { text: text({}) },
      foreign.sign(text({})),
      { ...foreign.sign(text({})), key: key.name },
      key.sign(text({})),
    ];
    for (const [k, data] of forged.entries()) {
      const job = `ed0f6a0e-0000-5000-8000-00000000000${k + 1}`;
      await store.rows(
        "insert into coexist.trial (job, run, round, name, attempt, sent) values ($1, $2, $3, $4, 1, now() - interval '1 hour')",
        [job, run, 'forged', 'forged'],
      );
      await store.boss.send(queueOf(run), data, { id: job, group: { id: 'forged' }, retryLimit: 0 });
    }
    const log = join(parent, 'forged.log');
    const { said } = await withWorkers([{ carrier: new TinyCarrier({ parent, log }) }], () => came);
    assert.deepEqual(
      linesOf(log).map(line => line.split(' ')[0]),
      [planned.trial.id],
    );
    assert.deepEqual(
      said
        .filter(line => /^refused a trial/.test(line))
        .map(line => line.split(': ')[1]!.replace(/key \S+,/, 'key X,'))
        .sort(),
      [
        'it is not signed',
        'it is not signed',
        'it is not signed',
        "it is signed with the key X, which is not in this worker's --trust",
        'its order is not for this job',
        'its signature is not valid',
      ],
    );
    await side.close(true);
  });

  test('no result is lost or duplicated when connections are cut repeatedly', async () => {
    const { plan, folder, start, log } = study(12, 2);
    const hands = ['a', 'b'].map(machine => ({
      machine,
      carrier: new TinyCarrier({ parent, log, machine, takesMs: 20, bytes: 100_000 }),
    }));
    const stop = new AbortController();
    let cuts = 0;
    const knife = (async () => {
      for (;;) {
        await sleep(120, stop.signal);
        cuts += (
          await store.rows(
            'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and backend_type = ' +
              "'client backend' order by random() limit 1",
          )
        ).length;
      }
    })().catch(error => {
      if (!stop.signal.aborted) throw error;
    });
    await withWorkers(hands, () => start());
    stop.abort(new Error('enough'));
    await knife;
    assert.ok(cuts >= 3, `${cuts} cuts`);
    assert.deepEqual(
      folder.trialNames({ voided: true }),
      plan.trials.map(({ id }) => id),
    );
    assert.deepEqual(
      linesOf(log).map(line => line.split(' ')[0]),
      plan.trials.map(({ id }) => id).sort(),
    );
  });
});
