/** What waits, runs and failed in a queue, and who works on it. */
import type { Store } from './store.ts';
import { queueOf, schema } from './tables.ts';
import { deadSeconds } from './times.ts';

/** `isHere`: heard of within a minute. `doing`: a trial. */
export type WorkerStatus = {
  id: string;
  machine: string;
  code: string;
  doing: string | null;
  isHere: boolean;
  seenSeconds: number;
};
/** `failed`: given up, since no worker brought it to an end. `refusals`: machines that do not take part, and why. */
export type RunStatus = {
  id: string;
  study: string;
  code: string;
  plannerSeenSeconds: number;
  waiting: number;
  running: number;
  done: number;
  failed: { name: string; attempt: number; reason: string }[];
  refusals: { machine: string; reason: string }[];
  rounds: Record<string, number>;
};

const seconds = (column: string) => `extract(epoch from now() - ${column})::float`;

async function runStatus(
  store: Store,
  run: Pick<RunStatus, 'id' | 'study' | 'code' | 'plannerSeenSeconds'>,
): Promise<RunStatus> {
  const jobs = await store.rows<{ state: string; name: string; attempt: number; reason: string | null }>(
    `select job.state::text as state, trial.name, trial.attempt, coalesce(job.output->>'reason', job.output->>'message') as reason
     from ${schema}.trial join pgboss.job on job.name = $1 and job.id = trial.job where trial.run = $2 order by trial.name, trial.attempt`,
    [queueOf(run.id), run.id],
  );
  const count = (...states: string[]) => jobs.filter(({ state }) => states.includes(state)).length;
  const rounds = await store.rows<{ machine: string; count: number }>(
    `select machine, count(*)::int as count from ${schema}.round where run = $1 group by machine order by machine`,
    [run.id],
  );
  const refusals = await store.rows<{ machine: string; reason: string }>(
    `select distinct machine, reason from ${schema}.refusal join ${schema}.worker on worker.id = refusal.worker where run = $1 and worker.ended is null and worker.seen > now() - make_interval(secs => ${deadSeconds}) order by machine`,
    [run.id],
  );
  return {
    ...run,
    waiting: count('created', 'retry'),
    running: count('active'),
    done: count('completed'),
    failed: jobs
      .filter(({ state }) => state === 'failed')
      .map(({ name, attempt, reason }) => ({ name, attempt, reason: reason ?? 'no reason was given' })),
    refusals,
    rounds: Object.fromEntries(rounds.map(({ machine, count: n }) => [machine, n])),
  };
}

export async function readStatus(store: Store): Promise<{ workers: WorkerStatus[]; runs: RunStatus[] }> {
  const workers = await store.rows<WorkerStatus>(
    `select id, machine, code, doing, seen > now() - make_interval(secs => ${deadSeconds}) as "isHere", ${seconds('seen')} as "seenSeconds" from ${schema}.worker where ended is null order by machine, started`,
  );
  const open = await store.rows<Pick<RunStatus, 'id' | 'study' | 'code' | 'plannerSeenSeconds'>>(
    `select id, study, code, ${seconds('seen')} as "plannerSeenSeconds" from ${schema}.run where ended is null order by opened`,
  );
  const runs = [];
  for (const run of open) runs.push(await runStatus(store, run));
  return { workers, runs };
}

/** Who works on a run, for its planner. */
export async function helpersOf(
  store: Store,
  run: string,
  code: string,
): Promise<{ machines: string[]; refusals: { machine: string; reason: string }[] }> {
  const { workers, runs } = await readStatus(store);
  const refusals = runs.find(({ id }) => id === run)?.refusals ?? [];
  const others = workers
    .filter(({ isHere, code: theirs }) => isHere && theirs !== code)
    .map(({ machine, code: theirs }) => ({ machine, reason: `it runs version ${theirs}, not ${code}` }));
  const machines = workers
    .filter(
      worker => worker.isHere && worker.code === code && !refusals.some(({ machine }) => machine === worker.machine),
    )
    .map(({ machine }) => machine);
  return { machines: [...new Set(machines)], refusals: [...refusals, ...others] };
}
