/** State of a queue: its workers, and the trials of each run. */
import { type NoiseFloor, readNoiseFloor } from './noise-floor.ts';
import type { Store } from './store.ts';
import { isHere, queueOf, schema } from './tables.ts';

/** Reason that is shown for a job that failed without a reason. */
export const noReason = 'the worker stopped reporting, or the time limit passed';

export type WorkerStatus = {
  id: string;
  machine: string;
  code: string;
  /** Name of the trial that the worker runs; null if the worker runs none. */
  doing: string | null;
  /** Time since the trial began, or since the worker became idle, s. */
  sinceSeconds: number;
  /** Noise floor of the worker's machine; null while it is being measured. */
  floor: NoiseFloor | null;
  /** True if the worker has reported within the last `deadSeconds`. */
  isHere: boolean;
  seenSeconds: number;
};

export type RunStatus = {
  id: string;
  study: string;
  code: string;
  plannerSeenSeconds: number;
  waiting: number;
  running: number;
  done: number;
  /** Trials that have failed, because they were given to workers `mostTakings` times and no worker finished them. */
  failed: { name: string; attempt: number; reason: string }[];
  /** Trials in the queue that a worker lost or gave back before. */
  returned: { name: string; attempt: number; times: number; reason: string }[];
  /** Machines that refuse the trials of the run, with the reasons. */
  refusals: { machine: string; reason: string }[];
  /**
   * Number of workers that report, have the version of the run, passed their noise floor and did not refuse the run.
   */
  helpers: number;
  rounds: Record<string, number>;
};

const seconds = (column: string) => `extract(epoch from now() - ${column})::float`;

type JobRow = { state: string; name: string; attempt: number; times: number; reason: string | null };
type OpenRun = Pick<RunStatus, 'id' | 'study' | 'code' | 'plannerSeenSeconds'>;

/** Returns the workers that could take a trial of version `code` now. */
const ready = (workers: readonly WorkerStatus[], code: string) =>
  workers.filter(worker => worker.isHere && worker.code === code && worker.floor?.passed === true);

async function runStatus(store: Store, run: OpenRun, workers: readonly WorkerStatus[]): Promise<RunStatus> {
  const jobs = await store.rows<JobRow>(
    `select job.state::text as state, trial.name, trial.attempt,
       job.retry_count + (job.state = 'retry')::int as times,
       coalesce(job.output->>'reason', job.output->>'message') as reason
     from ${schema}.trial join pgboss.job on job.name = $1 and job.id = trial.job
     where trial.run = $2 order by trial.name, trial.attempt`,
    [queueOf(run.id), run.id],
  );
  const rounds = await store.rows<{ machine: string; count: number }>(
    `select machine, count(*)::int as count from ${schema}.round where run = $1 group by machine order by machine`,
    [run.id],
  );
  const refusals = await store.rows<{ machine: string; reason: string }>(
    `select distinct machine, reason from ${schema}.refusal join ${schema}.worker on worker.id = refusal.worker
     where run = $1 and ${isHere} order by machine`,
    [run.id],
  );
  const inState = (...states: string[]) => jobs.filter(({ state }) => states.includes(state));
  return {
    ...run,
    waiting: inState('created', 'retry').length,
    running: inState('active').length,
    done: inState('completed').length,
    failed: inState('failed').map(({ name, attempt, reason }) => ({
      name,
      attempt,
      reason: reason ?? noReason,
    })),
    returned: inState('created', 'retry', 'active')
      .filter(({ times }) => times > 0)
      .map(({ name, attempt, times, reason }) => ({ name, attempt, times, reason: reason ?? noReason })),
    refusals,
    helpers: ready(workers, run.code).filter(worker => !refusals.some(({ machine }) => machine === worker.machine))
      .length,
    rounds: Object.fromEntries(rounds.map(({ machine, count: n }) => [machine, n])),
  };
}

export async function readStatus(store: Store): Promise<{ workers: WorkerStatus[]; runs: RunStatus[] }> {
  const rows = await store.rows<WorkerStatus>(
    `select id, machine, code, doing, floor, ${isHere} as "isHere", ${seconds('seen')} as "seenSeconds",
       ${seconds('since')} as "sinceSeconds"
     from ${schema}.worker where ended is null order by machine, started`,
  );
  const workers = rows.map(row => ({ ...row, floor: readNoiseFloor(row.floor) ?? null }));
  const open = await store.rows<OpenRun>(
    `select id, study, code, ${seconds('seen')} as "plannerSeenSeconds"
     from ${schema}.run where ended is null order by opened`,
  );
  const runs = [];
  for (const run of open) runs.push(await runStatus(store, run, workers));
  return { workers, runs };
}

/** Returns the reason why a worker gets no trials of version `code`; undefined if it gets them. */
function hindrance({ code: theirs, floor }: WorkerStatus, code: string): string | undefined {
  if (theirs !== code) return `it runs version ${theirs}, not ${code}`;
  if (floor === null) return 'it measures its noise floor';
  return floor.passed ? undefined : `its noise floor does not pass: ${floor.said}`;
}

/** Returns the machines that take trials of a run, and the reasons why other machines take none. */
export async function helpersOf(
  store: Store,
  run: string,
  code: string,
): Promise<{ machines: string[]; refusals: { machine: string; reason: string }[] }> {
  const { workers, runs } = await readStatus(store);
  const refusals = runs.find(({ id }) => id === run)?.refusals ?? [];
  const others = workers
    .filter(worker => worker.isHere)
    .flatMap(worker => {
      const reason = hindrance(worker, code);
      return reason === undefined ? [] : [{ machine: worker.machine, reason }];
    });
  const machines = ready(workers, code)
    .map(({ machine }) => machine)
    .filter(name => !refusals.some(({ machine }) => machine === name));
  return { machines: [...new Set(machines)], refusals: [...refusals, ...others] };
}
