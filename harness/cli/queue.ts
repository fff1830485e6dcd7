/** `npm run queue`: what is in a queue and who works on it, and the key that workers have to trust. */
import { CoexistError, exitStatus } from '../../core/errors.ts';
import { formatDuration } from '../../core/units.ts';
import { endRun } from '../queue/end-run.ts';
import { PlannerKey } from '../queue/planner-key.ts';
import { readStatus } from '../queue/status.ts';
import type { RunStatus, WorkerStatus } from '../queue/status.ts';
import { Store } from '../queue/store.ts';
import { parseArguments } from './arguments.ts';
import { print } from './print.ts';

const usage =
  'npm run queue -- status --queue postgres://user@host/database [--json] | remove RUN --queue postgres://... | key';

const options = {
  queue: { type: 'string' },
  json: { type: 'boolean' },
} as const;

/** A planner that is not heard of for so long has ended or is away, s. */
const plannerGoneSeconds = 60;

const time = (seconds: number) => formatDuration(Math.max(0, Math.round(seconds)) * 1000);
const ago = (seconds: number) => `${time(seconds)} ago`;

function workerWords({ doing, sinceSeconds, floor, isHere, seenSeconds }: WorkerStatus): string {
  if (!isHere) return `not heard of any more, last ${ago(seenSeconds)}`;
  if (floor === null) return `measures its noise floor, for ${time(sinceSeconds)}`;
  if (!floor.passed) return `gets no trials: its noise floor does not pass (${floor.said})`;
  return `${doing === null ? 'waits for trials' : `runs ${doing}`}, for ${time(sinceSeconds)}; noise floor: ${floor.said}`;
}

const workerLine = (worker: WorkerStatus) =>
  `  ${worker.machine} (${worker.id.slice(0, 8)})  version ${worker.code}  ${workerWords(worker)}`;

const times = (count: number) => (count === 1 ? 'once' : `${count} times`);

function runLines({
  id,
  study,
  code,
  plannerSeenSeconds,
  waiting,
  running,
  done,
  failed,
  returned,
  refusals,
  helpers,
  rounds,
}: RunStatus): string[] {
  return [
    `  ${study} (${id})  version ${code}: ${waiting} waiting, ${running} running, ${done} done, ${failed.length} failed`,
    plannerSeenSeconds < plannerGoneSeconds
      ? `    its planner was heard of ${ago(plannerSeenSeconds)}`
      : `    its planner is not heard of any more, last ${ago(plannerSeenSeconds)}: go on with --resume, or "remove ${id}"`,
    ...(waiting > 0 && helpers === 0 ? ['    no worker is here that could take its trials'] : []),
    ...Object.entries(rounds).map(
      ([machine, count]) => `    ${count} ${count === 1 ? 'round' : 'rounds'} on ${machine}`,
    ),
    ...returned.map(
      ({ name, attempt, times: count, reason }) => `    came back ${times(count)}: ${name}, try ${attempt}: ${reason}`,
    ),
    ...failed.map(({ name, attempt, reason }) => `    failed: ${name}, try ${attempt}: ${reason}`),
    ...refusals.map(({ machine, reason }) => `    ${machine} takes no part: ${reason}`),
  ];
}

/** As people read it. */
export function describeStatus({ workers, runs }: { workers: WorkerStatus[]; runs: RunStatus[] }): string {
  const lines = [
    workers.length === 0 ? 'no workers' : 'workers:',
    ...workers.map(workerLine),
    runs.length === 0 ? 'no runs' : 'runs:',
    ...runs.flatMap(runLines),
  ];
  return `${lines.join('\n')}\n`;
}

async function withStore(url: string | undefined, body: (store: Store) => Promise<void>): Promise<number> {
  if (url === undefined || !/^postgres(ql)?:\/\//.test(url))
    throw new CoexistError('usage', '--queue names the database that holds the queue', { hint: usage });
  const store = await Store.open({
    url,
    say: () => {},
    signal: AbortSignal.timeout(60_000),
    supervise: false,
    patienceMs: 10_000,
  });
  try {
    await body(store);
    return exitStatus.done;
  } finally {
    await store.close();
  }
}

const status = (url: string | undefined, json: boolean) =>
  withStore(url, async store => {
    const found = await readStatus(store);
    print(json ? `${JSON.stringify(found, null, 1)}\n` : describeStatus(found));
  });

/** For a run whose planner does not come back. */
const remove = (url: string | undefined, run: string) =>
  withStore(url, async store => {
    const found = (await readStatus(store)).runs.find(({ id }) => id === run);
    if (found === undefined)
      throw new CoexistError('usage', `the queue holds no run ${run}`, { hint: '"status" shows those that it holds' });
    if (found.plannerSeenSeconds < plannerGoneSeconds)
      throw new CoexistError('usage', `the planner of run ${run} was heard of ${ago(found.plannerSeenSeconds)}`, {
        hint: 'stop it first, and wait a minute',
      });
    await endRun(store, run);
    print(`removed: ${found.study} (${run})\n`);
  });

export async function command(argv: string[]): Promise<number> {
  const { values, positionals } = parseArguments(argv, options, usage);
  const [word, ...more] = positionals;
  if (word === 'status' && more.length === 0) return status(values.queue, values.json === true);
  if (word === 'remove' && more.length === 1) return remove(values.queue, more[0]!);
  if (word === 'key' && more.length === 0) {
    process.stdout.write(`${PlannerKey.ofUser().name}\n`);
    return exitStatus.done;
  }
  throw new CoexistError(
    'usage',
    word === undefined ? 'queue: say what to do' : `queue: "${positionals.join(' ')}" is not known`,
    { hint: usage },
  );
}
