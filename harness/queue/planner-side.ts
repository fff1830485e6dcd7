/** Access of the planner to the queue. It sends signed jobs and collects one result for each job. */

import { CoexistError, isErrorCode, messageOf } from '../../core/errors.ts';
import { nowMs } from '../../core/system/clock.ts';
import { sleep } from '../../core/system/deadline.ts';
import { Scope } from '../../core/system/scope.ts';
import type { TrialFile } from '../record/trial-file.ts';
import type { Planned } from '../studies/planner/planner.ts';
import { endRun } from './end-run.ts';
import { jobId } from './job-id.ts';
import { orderFormat, type RunOrder, type TrialOrder } from './order.ts';
import { checkedOutput, isOf, mostOutputBytes, type Output } from './output.ts';
import type { PlannerKey } from './planner-key.ts';
import { DamagedRecord, mostPieceBytes, unpack } from './record-transfer.ts';
import { noReason } from './status.ts';
import type { Sql, Store } from './store.ts';
import { deadQueueOf, queueOf, schema } from './tables.ts';
import { heartbeatSeconds, mostTakings } from './times.ts';

/**
 * Result as read from the database. `output` and `parcel` (the manifest of the record) are null if they are too large.
 */
type ResultRow = {
  job: string;
  worker: string;
  machine: string;
  code: string;
  taken: number;
  output: unknown;
  parcel: unknown;
  refused: string | null;
};
type Waiter = { resolve(row: ResultRow | { lost: string }): void; reject(error: unknown): void };

const pollMs = 100;
const deadPollMs = 2000;
const seenMs = 10_000;
/**
 * Number of jobs that the planner sends for one try of a trial. After the last job the planner gives up, because it
 * refused the record of each job.
 */
const mostSendings = 3;

/** Result of a try. `lost`: reason why there is no result. */
type Came = { file: TrialFile; directory: string } | { lost: string };

type PlannerSideOptions = {
  store: Store;
  key: PlannerKey;
  order: RunOrder;
  say(text: string): void;
  signal: AbortSignal;
};

export class PlannerSide {
  readonly #options: PlannerSideOptions;
  readonly #waiters = new Map<string, Waiter>();
  readonly #over = new AbortController();
  readonly #pump: Promise<void>;
  /** Reason why collecting has ended; undefined while collecting goes on. */
  #ended: { reason: unknown } | undefined;

  private constructor(options: PlannerSideOptions) {
    this.#options = options;
    this.#pump = this.#collect(AbortSignal.any([options.signal, this.#over.signal]));
  }

  /** Registers the run of `options.order`, or continues the run if it is registered. */
  static async open(options: PlannerSideOptions): Promise<PlannerSide> {
    const { store, key, order } = options;
    const { text, key: name, signature } = key.sign(JSON.stringify(order));
    await store.persist(async () => {
      await store.boss.createQueue(deadQueueOf(order.run), { retentionSeconds: 14 * 86_400 });
      await store.boss.createQueue(queueOf(order.run), {
        deadLetter: deadQueueOf(order.run),
        retryLimit: mostTakings - 1,
        retryDelay: 1,
        heartbeatSeconds,
        deleteAfterSeconds: 0,
        retentionSeconds: 365 * 86_400,
      });
    });
    await store.rows(
      `insert into ${schema}.run (id, study, code, text, key, signature) values ($1, $2, $3, $4, $5, $6)
       on conflict (id) do update set code = excluded.code, text = excluded.text, key = excluded.key,
         signature = excluded.signature, seen = now(), ended = null`,
      [order.run, order.lane.study, order.code, text, name, signature],
    );
    await store.rows(`delete from ${schema}.refusal where run = $1`, [order.run]); // the cause may be repaired
    return new PlannerSide(options);
  }

  /**
   * Sends a trial and waits for its result until `signal`, the signal of the study, is aborted. Writes the record into
   * the folder `directory`, which `begin` makes.
   */
  async run(planned: Planned, attempt: number, begin: () => string, signal: AbortSignal): Promise<Came> {
    const {
      order: { run },
    } = this.#options;
    let reason = '';
    for (let sending = 1; sending <= mostSendings; sending++) {
      const job = jobId({ run, trial: planned.trial.id, attempt, sending });
      const came = await this.#sent(job, planned, attempt, signal);
      if ('lost' in came) return came;
      if (came.refused !== null) {
        // an earlier process of this planner refused the record
        reason = came.refused;
        continue;
      }
      const taken = await this.#take(came, planned, attempt, begin);
      if (!('refused' in taken)) return taken;
      reason = taken.refused;
      const again = sending < mostSendings ? '; the trial is run again' : '';
      this.#options.say(`${planned.trial.id}: record refused: ${reason}${again}`);
    }
    return { lost: `the planner refused its record ${mostSendings} times, the last time because ${reason}` };
  }

  /**
   * Removes the pieces of a record from the database and marks the result as collected. Call this when the record is in
   * the run folder.
   */
  async done(planned: Planned, attempt: number): Promise<void> {
    const {
      order: { run },
      store,
    } = this.#options;
    const jobs = Array.from({ length: mostSendings }, (_, k) =>
      jobId({ run, trial: planned.trial.id, attempt, sending: k + 1 }),
    );
    await store.transaction(async sql => {
      await sql.executeSql(`delete from ${schema}.chunk where job = any($1)`, [jobs]);
      await sql.executeSql(`update ${schema}.result set collected = true where job = any($1)`, [jobs]);
    });
  }

  /** Stops collecting results. `finished`: true if the study is complete, so that the run is removed from the queue. */
  async close(finished: boolean): Promise<void> {
    this.#over.abort(new Error('the run is over'));
    await this.#pump;
    if (!finished) return;
    await endRun(this.#options.store, this.#options.order.run);
  }

  async #sent(
    job: string,
    planned: Planned,
    attempt: number,
    signal: AbortSignal,
  ): Promise<ResultRow | { lost: string }> {
    const {
      store,
      key,
      order: { run },
    } = this.#options;
    signal.throwIfAborted();
    if (this.#ended !== undefined) throw this.#ended.reason;
    const { windowMs, settleMs, coolDownMs } = planned.times;
    const order: TrialOrder = { format: orderFormat, run, job, planned, attempt };
    const repeat = String(planned.trial.repeat);
    const came = new Promise<ResultRow | { lost: string }>((resolve, reject) =>
      this.#waiters.set(job, { resolve, reject }),
    );
    came.catch(() => {});
    const scope = new Scope({ signal });
    try {
      await store.transaction(async sql => {
        await sql.executeSql(
          `insert into ${schema}.trial (job, run, round, name, attempt) values ($1, $2, $3, $4, $5)
           on conflict (job) do nothing`,
          [job, run, repeat, planned.trial.id, attempt],
        );
        // the id exists if this planner sent the job before it was killed; then no job is sent, and the result of the
        // existing job is awaited
        await store.boss.send(queueOf(run), key.sign(JSON.stringify(order)), {
          id: job,
          group: { id: repeat },
          db: sql,
          expireInSeconds: Math.ceil(((windowMs + settleMs + coolDownMs) * 4) / 1000) + 600,
        });
      });
      // the wait also ends when the study stops for another reason, since a worker might never take the job
      return await scope.race(came);
    } finally {
      scope.end();
      this.#waiters.delete(job);
    }
  }

  /** Reads a record from the database and checks its files against their hashes. */
  async #take(
    row: ResultRow,
    planned: Planned,
    attempt: number,
    begin: () => string,
  ): Promise<{ file: TrialFile; directory: string } | { refused: string }> {
    const { store, order } = this.#options;
    const { job, worker, machine, code } = row;
    let refused: string;
    if (code !== order.code) {
      refused = `worker ${worker} on ${machine} ran version ${code}, not ${order.code}`;
      await store.rows(
        `insert into ${schema}.refusal (worker, run, reason) values ($1, $2, $3) on conflict do nothing`,
        [worker, order.run, refused],
      );
    } else {
      const read = this.#read(row, planned, attempt);
      if ('refusal' in read) {
        const { code: told, message, hint } = read.refusal;
        throw new CoexistError(
          isErrorCode(told) ? told : 'trials-failed',
          `${message} (on ${machine})`,
          hint === undefined ? {} : { hint },
        );
      }
      if ('refused' in read) refused = read.refused;
      else {
        const directory = begin();
        try {
          await unpack(row.parcel, directory, k => this.#piece(row, k));
          return { file: read.file, directory };
        } catch (error) {
          if (!(error instanceof DamagedRecord)) throw error;
          refused = `the record from ${machine} is damaged: ${messageOf(error)}`;
        }
      }
    }
    await store.transaction(async (sql: Sql) => {
      await sql.executeSql(`update ${schema}.result set refused = $2, collected = true where job = $1`, [job, refused]);
      await sql.executeSql(`delete from ${schema}.chunk where job = $1`, [job]);
    });
    return { refused };
  }

  /** Returns the checked output of a result, or the reason why the output is refused. */
  #read({ output, machine }: ResultRow, planned: Planned, attempt: number): Output | { refused: string } {
    let read: Output;
    try {
      read = checkedOutput(output);
    } catch (error) {
      return { refused: `the record from ${machine} is damaged: ${messageOf(error)}` };
    }
    if ('refusal' in read || isOf(read.file, this.#options.order.lane.study, planned, attempt)) return read;
    return { refused: `the record from ${machine} belongs to another trial` };
  }

  /** Returns a piece of the record; undefined if the piece is missing or too large. */
  async #piece({ job, taken }: ResultRow, k: number): Promise<Buffer | undefined> {
    const rows = await this.#options.store.rows<{ bytes: Buffer }>(
      `select bytes from ${schema}.chunk where job = $1 and taken = $2 and k = $3 and octet_length(bytes) <= $4`,
      [job, taken, k, mostPieceBytes],
    );
    return rows[0]?.bytes;
  }

  async #collect(signal: AbortSignal): Promise<void> {
    let [deadMs, saidMs] = [nowMs(), nowMs()];
    try {
      for (;;) {
        await this.#collectResults();
        if (nowMs() - deadMs > deadPollMs) {
          await this.#collectDead();
          deadMs = nowMs();
        }
        if (nowMs() - saidMs > seenMs) {
          await this.#options.store.rows(`update ${schema}.run set seen = now() where id = $1`, [
            this.#options.order.run,
          ]);
          saidMs = nowMs();
        }
        await sleep(pollMs, signal);
      }
    } catch (error) {
      this.#ended = { reason: signal.aborted ? signal.reason : error };
      for (const { reject } of this.#waiters.values()) reject(this.#ended.reason);
      this.#waiters.clear();
    }
  }

  #settle(job: string, came: ResultRow | { lost: string }): void {
    this.#waiters.get(job)?.resolve(came);
    this.#waiters.delete(job);
  }

  async #collectResults(): Promise<void> {
    if (this.#waiters.size === 0) return;
    const { store } = this.#options;
    const within = (column: string) => `case when octet_length(${column}::text) <= $2 then ${column} end as ${column}`;
    const rows = await store.rows<ResultRow>(
      `select job, worker, machine, code, taken, ${within('output')}, ${within('parcel')}, refused
       from ${schema}.result where job = any($1)`,
      [[...this.#waiters.keys()], mostOutputBytes],
    );
    for (const row of rows) this.#settle(row.job, row);
  }

  /** Collects jobs that failed, and reports their trials as lost. */
  async #collectDead(): Promise<void> {
    const {
      store,
      order: { run },
    } = this.#options;
    for (const job of [...this.#waiters.keys()]) {
      const [found] = await store.persist(() => store.boss.findJobs(queueOf(run), { id: job }));
      if (found?.state !== 'failed') continue;
      await store.rows(`update ${schema}.trial set ended = true where job = $1`, [job]);
      const output = found.output as { message?: unknown; reason?: unknown } | null;
      this.#settle(job, {
        lost:
          `it was given to workers ${mostTakings} times, and none finished it; last reason: ` +
          `${String(output?.reason ?? output?.message ?? noReason)}`,
      });
    }
  }
}
