/**
 * Access of a worker to the queue. It registers the worker, takes a trial, keeps the trial by heartbeats, and stores
 * the result.
 *
 * A repeat of all conditions (`round` in the tables) belongs to one machine, so that compared trials ran on the same
 * machine. Another machine gets the repeat only if every worker of the first machine has stopped reporting, or did not
 * pass its noise floor. The id of a job and its retry count together identify the worker that holds the job. A result
 * with an older retry count is ignored.
 */
import { randomUUID } from 'node:crypto';
import type { CommandResponse } from 'pg-boss';
import { messageOf } from '../../core/errors.ts';
import type { NoiseFloor } from './noise-floor.ts';
import type { Output } from './output.ts';
import type { Signed } from './planner-key.ts';
import { pack } from './record-transfer.ts';
import type { Store } from './store.ts';
import { isHere, mayWork, queueOf, schema, takeLock } from './tables.ts';
import { plannerDeadSeconds } from './times.ts';

/**
 * Job that this worker holds. `taken`: retry count of the job when the worker took it. `data`: data of the job, not
 * checked yet.
 */
export type Taken = { job: string; run: string; taken: number; data: unknown };

type RepeatRow = { name: string; isMine: boolean; isFree: boolean };

export class WorkerSide {
  readonly id = randomUUID();
  readonly machine: string;
  readonly code: string;
  readonly #store: Store;

  constructor(store: Store, machine: string, code: string) {
    this.#store = store;
    this.machine = machine;
    this.code = code;
  }

  /** Reports that this worker is alive. `doing`: name of its trial; null if the worker is idle. */
  async announce(doing: string | null): Promise<void> {
    await this.#store.rows(
      `insert into ${schema}.worker (id, machine, code, doing) values ($1, $2, $3, $4)
       on conflict (id) do update set seen = now(), doing = excluded.doing,
         since = case when worker.doing is distinct from excluded.doing then now() else worker.since end`,
      [this.id, this.machine, this.code, doing],
    );
  }

  /** Reports the noise floor of this machine. `floor`: null while it is being measured. */
  async tellFloor(floor: NoiseFloor | null): Promise<void> {
    await this.#store.rows(`update ${schema}.worker set floor = $2, since = now() where id = $1`, [
      this.id,
      floor === null ? null : JSON.stringify(floor),
    ]);
  }

  async leave(): Promise<void> {
    await this.#store.rows(`update ${schema}.worker set ended = now(), doing = null where id = $1`, [this.id]);
    await this.#store.rows(`delete from ${schema}.worker where seen < now() - interval '7 days'`);
  }

  /**
   * Returns the runs of this worker's version that have waiting trials, oldest first, without the runs that this worker
   * refused.
   */
  runs(): Promise<(Signed & { id: string })[]> {
    return this.#store.rows(
      `select id, text, key, signature from ${schema}.run where code = $1 and ended is null
       and not exists (select from ${schema}.refusal where refusal.worker = $2 and refusal.run = run.id)
       and exists (select from ${schema}.trial where trial.run = run.id and not trial.ended) order by opened, id`,
      [this.code, this.id],
    );
  }

  async refuse(run: string, reason: string): Promise<void> {
    await this.#store.rows(
      `insert into ${schema}.refusal (worker, run, reason) values ($1, $2, $3) on conflict do nothing`,
      [this.id, run, reason],
    );
  }

  /** Takes a trial of the run. Undefined if this machine gets no trial of the run now. */
  take(run: string): Promise<Taken | undefined> {
    return this.#store.transaction(async sql => {
      // the lock makes workers decide one after another which machine a repeat belongs to
      await sql.executeSql('select pg_advisory_xact_lock(hashtext($1))', [takeLock(run)]);
      const { rows } = (await sql.executeSql(
        `select trial.round as name, coalesce(round.machine = $2, false) as "isMine",
           round.machine is null or not exists (
             select from ${schema}.worker where worker.machine = round.machine and ${isHere} and ${mayWork}
           ) as "isFree"
         from ${schema}.trial left join ${schema}.round on round.run = trial.run and round.name = trial.round
         where trial.run = $1 and not trial.ended
         group by trial.round, round.machine order by min(trial.sent), trial.round`,
        [run, this.machine],
      )) as { rows: RepeatRow[] };
      const mine = rows.filter(({ isMine }) => isMine).map(({ name }) => name);
      const free = rows.filter(({ isMine, isFree }) => !isMine && isFree).map(({ name }) => [name]);
      for (const names of [...(mine.length === 0 ? [] : [mine]), ...free]) {
        const others = rows.map(({ name }) => name).filter(name => !names.includes(name));
        const [job] = await this.#store.boss.fetch(queueOf(run), { batchSize: 1, ignoreGroups: others, db: sql });
        if (job === undefined) continue;
        if (names !== mine) {
          await sql.executeSql(
            `insert into ${schema}.round (run, name, machine) values ($1, $2, $3)
             on conflict (run, name) do update set machine = excluded.machine`,
            [run, names[0], this.machine],
          );
        }
        return { job: job.id, run, taken: job.retryCount, data: job.data };
      }
      return undefined;
    });
  }

  /** Sends the heartbeat of a job. Returns false if this worker no longer holds the job. */
  async keep({ run, job, taken }: Taken): Promise<boolean> {
    return this.#store.persist(() =>
      changed(() => this.#store.boss.touch(queueOf(run), { id: job, retryCount: taken })),
    );
  }

  /** Returns a job to the queue. The job fails if it has been given to workers `mostTakings` times. */
  async giveBack({ run, job, taken }: Taken, reason: string): Promise<void> {
    await this.#store.persist(() =>
      changed(() =>
        this.#store.boss.fail(queueOf(run), { id: job, retryCount: taken }, { reason: `${this.machine}: ${reason}` }),
      ),
    );
  }

  /**
   * Stores the result of a trial, with its record if there is one. Returns false and changes no result if this worker
   * no longer holds the job or if the run has ended.
   */
  async complete({ run, job, taken }: Taken, output: Output, directory: string | null): Promise<boolean> {
    const manifest =
      directory === null
        ? null
        : await pack(directory, async (k, bytes) => {
            await this.#store.rows(
              `insert into ${schema}.chunk (job, taken, k, bytes) values ($1, $2, $3, $4)
               on conflict (job, taken, k) do update set bytes = excluded.bytes`,
              [job, taken, k, bytes],
            );
          });
    const isTaken = await this.#store.transaction(async sql => {
      // the result is already stored if the answer to an earlier call was lost
      const { rows } = await sql.executeSql(
        `select from ${schema}.result where job = $1 and taken = $2 and worker = $3`,
        [job, taken, this.id],
      );
      if (rows.length > 0) return true;
      if (
        !(await changed(() =>
          this.#store.boss.complete(
            queueOf(run),
            { id: job, retryCount: taken },
            { worker: this.id, machine: this.machine },
            { db: sql },
          ),
        ))
      )
        return false;
      await sql.executeSql(
        `insert into ${schema}.result (job, run, worker, machine, code, taken, output, parcel)
         values ($1, $2, $3, $4, $5, $6, $7, $8)`,
        [
          job,
          run,
          this.id,
          this.machine,
          this.code,
          taken,
          JSON.stringify(output),
          manifest === null ? null : JSON.stringify(manifest),
        ],
      );
      await sql.executeSql(`update ${schema}.trial set ended = true where job = $1`, [job]);
      await sql.executeSql(`delete from ${schema}.chunk where job = $1 and taken <> $2`, [job, taken]);
      return true;
    });
    if (!isTaken) await this.#store.rows(`delete from ${schema}.chunk where job = $1 and taken = $2`, [job, taken]);
    return isTaken;
  }

  /**
   * Returns true if the planner has collected the result, if the run has ended, or if the planner no longer reports.
   */
  async isCollected({ job }: Taken): Promise<boolean> {
    const rows = await this.#store.rows(
      `select from ${schema}.result join ${schema}.run on run.id = result.run
       where result.job = $1 and not result.collected and run.ended is null
       and run.seen > now() - make_interval(secs => ${plannerDeadSeconds})`,
      [job],
    );
    return rows.length === 0;
  }
}

/**
 * Runs a change of a job that this worker holds. Returns false if the worker no longer holds the job, or if the queue
 * of the run was deleted.
 */
async function changed(change: () => Promise<CommandResponse>): Promise<boolean> {
  try {
    const { affected } = (await change()) as { affected?: number }; // missing in the types of pg-boss
    if (affected === undefined) throw new Error('pg-boss does not say how many jobs it has changed');
    return affected > 0;
  } catch (error) {
    if (/^Queue .* does not exist/.test(messageOf(error))) return false;
    throw error;
  }
}
