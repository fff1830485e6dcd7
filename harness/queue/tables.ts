/**
 * Tables of the queue besides those of pg-boss: runs, trials, repeats of all conditions (`round`), workers, refusals,
 * results with the manifests of their records (`parcel`), and the pieces of records. Tables and columns keep their
 * older names, because databases with these names exist.
 */
import { deadSeconds } from './times.ts';

export const schema = 'coexist';

/** Statements that make the tables. They are executed at each connection and change nothing if the tables exist. */
export const tables = `
create schema if not exists ${schema};
create table if not exists ${schema}.run (
  id text primary key, study text not null, code text not null,
  text text not null, key text not null, signature text not null,
  opened timestamptz not null default now(), seen timestamptz not null default now(), ended timestamptz
);
create table if not exists ${schema}.trial (
  job uuid primary key, run text not null, round text not null, name text not null, attempt int not null,
  sent timestamptz not null default now(), ended boolean not null default false
);
create index if not exists trial_open on ${schema}.trial (run, round) where not ended;
create table if not exists ${schema}.round (
  run text not null, name text not null, machine text not null, primary key (run, name)
);
create table if not exists ${schema}.worker (
  id text primary key, machine text not null, code text not null,
  doing text, since timestamptz not null default now(), floor json,
  started timestamptz not null default now(), seen timestamptz not null default now(), ended timestamptz
);
create table if not exists ${schema}.refusal (
  worker text not null, run text not null, reason text not null, primary key (worker, run)
);
create table if not exists ${schema}.result (
  job uuid primary key, run text not null, worker text not null, machine text not null, code text not null,
  taken int not null, output json not null, parcel json,
  at timestamptz not null default now(), collected boolean not null default false, refused text
);
create index if not exists result_open on ${schema}.result (run) where not collected;
create table if not exists ${schema}.chunk (
  job uuid not null, taken int not null, k int not null, bytes bytea not null, primary key (job, taken, k)
);
alter table ${schema}.chunk alter column bytes set storage external;
`;

/**
 * Names of the two pg-boss queues of a run: `queueOf` for its jobs, and `deadQueueOf` for its failed jobs (dead
 * letter).
 */
export const queueOf = (run: string) => `run-${run}`;
export const deadQueueOf = (run: string) => `dead-${run}`;

/** Returns the name of the lock that is held while a worker takes a trial of a run. */
export const takeLock = (run: string) => `coexist take ${run}`;

/** SQL condition: the worker has not ended and has reported within the last `deadSeconds`. */
export const isHere = `worker.ended is null and worker.seen > now() - make_interval(secs => ${deadSeconds})`;

/** SQL condition: the noise floor of the worker passed, or is not measured yet. */
export const mayWork = "coalesce((worker.floor->>'passed')::boolean, true)";
