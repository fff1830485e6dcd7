/**
 * Database of the queue. pg-boss stores the jobs, and tables of this project store the rest. Both use the same pool of
 * connections, so that one transaction can change both.
 *
 * If the connection is lost, calls wait and are repeated, each transaction as a whole. Every statement can be executed
 * twice without harm.
 */
import pg from 'pg';
import { PgBoss } from 'pg-boss';
import { CoexistError, messageOf } from '../../core/errors.ts';
import { nowMs } from '../../core/system/clock.ts';
import { sleep } from '../../core/system/deadline.ts';
import { tables } from './tables.ts';

type Row = Record<string, unknown>;
/** Object that executes statements, either in the pool or in a transaction. */
export type Sql = { executeSql(text: string, values?: unknown[]): Promise<{ rows: Row[] }> };

type StoreOptions = {
  url: string;
  /** Prints a line when the database cannot be reached, and another line when it can be reached again. */
  say(text: string): void;
  signal: AbortSignal;
  /**
   * True if this store fails the jobs whose heartbeat or time limit has run out. At least one store of a queue has to
   * do this.
   */
  supervise: boolean;
  /** Longest time that the database may be unreachable, ms. */
  patienceMs?: number;
  /**
   * Longest time of a statement, and longest pause between two statements of a transaction, ms. A statement may carry a
   * piece of a record, which has 4 MiB.
   */
  statementMs?: number;
};

/**
 * SQLSTATE classes and codes after which a call is repeated (PostgreSQL, appendix A): connection (08), insufficient
 * resources (53), operator intervention (57), rollback (40), lock not available in time (55P03), idle transaction
 * timeout (25P03).
 */
const passing = /^(08|53|57|40|55P03|25P03)/;
const passingSystem = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOENT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
];
/** Messages of those errors of the client library that have no code. */
const passingMessage =
  /connection (terminated|error)|timeout exceeded when trying to connect|Query read timeout|not queryable|Client has encountered/i;
const retryMs = 500;
const poolSize = 4;
const connectMs = 10_000;

/**
 * Returns true if a call that failed with this error may succeed later. Errors that pg-boss reports in the background
 * are not always of class Error.
 */
export function isPassing(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isPassing);
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  if (typeof code === 'string') return passing.test(code) || passingSystem.includes(code);
  return passingMessage.test(String(message));
}

/** Returns the address of the database without the password. */
export function describeUrl(url: string): string {
  return url.replace(/\/\/([^:@/]*):.*@/, '//$1@');
}

export class Store {
  readonly boss: PgBoss;
  readonly #pool: pg.Pool;
  readonly #options: StoreOptions;
  #isAway = false;

  private constructor(options: StoreOptions, pool: pg.Pool) {
    this.#options = options;
    this.#pool = pool;
    // pg-boss uses the pool for all its statements, and repeats its background work without help
    this.boss = new PgBoss({
      db: { executeSql: (text, values) => this.#pool.query(text, values) },
      supervise: options.supervise,
      schedule: false,
      superviseIntervalSeconds: 5,
      monitorIntervalSeconds: 5,
      registerInstance: false,
      monitorVacuum: false,
      reindex: false,
    });
    this.boss.on('error', error => {
      if (!isPassing(error)) options.say(`the queue: ${(error as Partial<Error>).message ?? messageOf(error)}`);
    });
  }

  static async open(options: StoreOptions): Promise<Store> {
    let pool: pg.Pool;
    const { url, statementMs = 60_000 } = options;
    try {
      pool = new pg.Pool({
        connectionString: url,
        max: poolSize,
        connectionTimeoutMillis: connectMs,
        keepAlive: true,
        // because of these limits, a frozen server or worker does not block other connections or Ctrl-C
        query_timeout: statementMs,
        lock_timeout: statementMs / 2,
        idle_in_transaction_session_timeout: statementMs,
      });
    } catch (error) {
      throw new CoexistError('usage', `--queue ${describeUrl(options.url)}: ${messageOf(error)}`, {
        hint: 'write it like postgres://user@host/database; the password may come from PGPASSWORD',
      });
    }
    // the next statement reports the error
    pool.on('error', () => {});
    // a connection can fail before its first statement, and then has no other listener for errors
    pool.on('connect', client => client.on('error', () => {}));
    const store = new Store(options, pool);
    try {
      // several processes may connect at once: one makes the tables while the others wait
      await store.transaction(async sql => {
        await sql.executeSql('select pg_advisory_xact_lock(hashtext($1))', ['coexist tables']);
        await sql.executeSql(tables);
      });
      await store.persist(() => store.boss.start());
      return store;
    } catch (error) {
      await pool.end().catch(() => {});
      if (error instanceof CoexistError) throw error;
      throw new CoexistError(
        'queue-lost',
        `the queue's database at ${describeUrl(options.url)} cannot be used: ${messageOf(error)}`,
        { hint: 'check that the server runs and that user, password and database are right', cause: error },
      );
    }
  }

  rows<T = Row>(text: string, values: unknown[] = []): Promise<T[]> {
    return this.persist(async () => (await this.#pool.query(text, values)).rows as T[]);
  }

  /** Runs `body` in one transaction. Calls `body` again if the transaction has to be repeated. */
  transaction<T>(body: (sql: Sql) => Promise<T>): Promise<T> {
    return this.persist(async () => {
      const client = await this.#pool.connect();
      let broken: Error | undefined;
      try {
        await client.query('begin');
        const result = await body({ executeSql: (text, values) => client.query(text, values) });
        await client.query('commit');
        return result;
      } catch (error) {
        await client.query('rollback').catch((failure: Error) => {
          broken = failure;
        });
        throw error;
      } finally {
        client.release(broken);
      }
    });
  }

  /** Calls `body`, and calls it again while the database cannot be reached. Throws `queue-lost` after `patienceMs`. */
  async persist<T>(body: () => Promise<T>): Promise<T> {
    const { signal, say, patienceMs = 10 * 60e3, url } = this.#options;
    const startMs = nowMs();
    for (;;) {
      try {
        const result = await body();
        if (this.#isAway) say("the queue's database can be reached again");
        this.#isAway = false;
        return result;
      } catch (error) {
        if (!isPassing(error)) throw error;
        if (nowMs() - startMs > patienceMs) {
          throw new CoexistError(
            'queue-lost',
            `the queue's database at ${describeUrl(url)} could not be reached for ${Math.round(patienceMs / 1000)} s: ${messageOf(error)}`,
            {
              hint: 'check the address and that the server runs, then repeat the command; finished trials are kept',
              cause: error,
            },
          );
        }
        if (!this.#isAway) say(`the queue's database cannot be reached (${messageOf(error)}); trying again`);
        this.#isAway = true;
      }
      await sleep(retryMs, signal);
    }
  }

  async close(): Promise<void> {
    await this.boss.stop({ graceful: false }).catch(() => {}); // the database cannot be reached
    await this.#pool.end().catch(() => {});
  }
}
