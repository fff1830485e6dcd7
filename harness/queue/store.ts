/**
 * The database of the queue: pg-boss stores the jobs, tables of our own store the rest. Both use one pool, so that one
 * transaction can change both.
 *
 * If the connection to the database is lost, calls wait and are repeated, each transaction as a whole. Statements are
 * written so that executing one twice does no harm.
 */
import pg from 'pg';
import { PgBoss } from 'pg-boss';
import { CoexistError, messageOf } from '../../core/errors.ts';
import { nowMs } from '../../core/system/clock.ts';
import { sleep } from '../../core/system/deadline.ts';
import { tables } from './tables.ts';

type Row = Record<string, unknown>;
/** Executes statements: the pool, or a transaction. */
export type Sql = { executeSql(text: string, values?: unknown[]): Promise<{ rows: Row[] }> };

type StoreOptions = {
  url: string;
  /** Prints a line when the database cannot be reached, and one when it can be reached again. */
  say(text: string): void;
  signal: AbortSignal;
  /** Whether this store fails jobs whose heartbeat or time limit has run out. At least one store has to. */
  supervise: boolean;
  /** How long the database may be unreachable, ms. */
  patienceMs?: number;
  /** How long a statement may take, or a transaction wait for its next one, ms. A piece of a record has 4 MiB. */
  statementMs?: number;
};

/**
 * Classes of SQLSTATE: connection, not enough resources, operator intervention (PostgreSQL, appendix A); 40: rolled
 * back, may be tried again; 55P03: a lock that was not given back in time; 25P03: a transaction that was idle too long.
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
/** Of errors of the client library that have no code. */
const passingMessage =
  /connection (terminated|error)|timeout exceeded when trying to connect|Query read timeout|not queryable|Client has encountered/i;
const retryMs = 500;
const poolSize = 4;
const connectMs = 10_000;

/** Whether the call may succeed later. Errors that pg-boss reports in the background are not always of class Error. */
export function isPassing(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isPassing);
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  if (typeof code === 'string') return passing.test(code) || passingSystem.includes(code);
  return passingMessage.test(String(message));
}

/** Without the password. */
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
    // its own statements go through the pool too; what it does in the background it tries again by itself
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
        // a server or a worker that is frozen must not hold up the others, nor Ctrl-C
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
    // also that of a connection that ends before its first statement, when nothing else listens yet
    pool.on('connect', client => client.on('error', () => {}));
    const store = new Store(options, pool);
    try {
      // several processes may connect at once: one makes the tables, the others wait
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

  /** Rows of a statement. */
  rows<T = Row>(text: string, values: unknown[] = []): Promise<T[]> {
    return this.persist(async () => (await this.#pool.query(text, values)).rows as T[]);
  }

  /** Runs `body` in one transaction. `body` is called again if the transaction is repeated. */
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

  /** Calls `body`, again while the database cannot be reached. Throws `queue-lost` after `patienceMs`. */
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
    await this.boss.stop({ graceful: false }).catch(() => {}); // it cannot be reached
    await this.#pool.end().catch(() => {});
  }
}
