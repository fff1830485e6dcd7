/** `npm run queue`: the state of a queue, and the public key that workers have to trust. */

import { CoexistError, exitStatus } from '../../core/errors.ts';
import { counted, timesWords } from '../../core/text/counted.ts';
import { formatDuration } from '../../core/text/units.ts';
import { endRun } from '../queue/end-run.ts';
import { PlannerKey } from '../queue/planner-key.ts';
import { type RunStatus, readStatus, type WorkerStatus } from '../queue/status.ts';
import { Store } from '../queue/store.ts';
import { parseArguments } from './arguments.ts';
import { jsonOption, jsonUsage, prepareJson, printed, putJson } from './json-output.ts';
import { print } from './print.ts';

const usage =
  `npm run queue -- status --queue postgres://user@host/database ${jsonUsage} | ` +
  'remove RUN --queue postgres://... | key';

const options = {
  queue: { type: 'string' },
  ...jsonOption,
} as const;

/** Time after a planner's last report from which the planner counts as gone, s. */
const plannerGoneSeconds = 60;

const time = (seconds: number) => formatDuration(Math.max(0, Math.round(seconds)) * 1000);
const ago = (seconds: number) => `${time(seconds)} ago`;

function workerWords({ doing, sinceSeconds, floor, isHere, seenSeconds }: WorkerStatus): string {
  if (!isHere) return `no report for ${time(seenSeconds)}`;
  if (floor === null) return `has been measuring its noise floor for ${time(sinceSeconds)}`;
  if (!floor.passed) return `gets no trials: its noise floor does not pass (${floor.said})`;
  return `${doing === null ? 'has been idle' : `has been running ${doing}`} for ${time(sinceSeconds)}; noise floor: ${floor.said}`;
}

const workerLine = (worker: WorkerStatus) =>
  `  ${worker.machine} (${worker.id.slice(0, 8)})  version ${worker.code}  ${workerWords(worker)}`;

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
      ? `    last report from its planner: ${ago(plannerSeenSeconds)}`
      : `    no report from its planner for ${time(plannerSeenSeconds)}: continue the study with --resume, or remove it with "remove ${id}"`,
    ...(waiting > 0 && helpers === 0 ? ['    no available worker can take its trials'] : []),
    ...Object.entries(rounds).map(([machine, count]) => `    ${counted(count, 'repeat')} on ${machine}`),
    ...returned.map(
      ({ name, attempt, times: count, reason }) =>
        `    returned to the queue ${timesWords(count)}: ${name}, try ${attempt}: ${reason}`,
    ),
    ...failed.map(({ name, attempt, reason }) => `    failed: ${name}, try ${attempt}: ${reason}`),
    ...refusals.map(({ machine, reason }) => `    ${machine} takes no trials of this run: ${reason}`),
  ];
}

/** Returns the state of the queue as text, with one line for each worker and for each run. */
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
    throw new CoexistError('usage', '--queue needs the address of a PostgreSQL database', { hint: usage });
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

const status = (url: string | undefined, json: string | undefined) =>
  withStore(url, async store => {
    const found = await readStatus(store);
    const written = putJson(json, found, { indent: 1 });
    if (json !== printed) print(`${describeStatus(found)}${written}`);
  });

/** Returns the command that removes a run whose planner does not return. */
const remove = (url: string | undefined, run: string) =>
  withStore(url, async store => {
    const found = (await readStatus(store)).runs.find(({ id }) => id === run);
    if (found === undefined)
      throw new CoexistError('usage', `there is no run ${run} in the queue`, { hint: '"status" lists the runs' });
    if (found.plannerSeenSeconds < plannerGoneSeconds)
      throw new CoexistError('usage', `the planner of run ${run} reported ${ago(found.plannerSeenSeconds)}`, {
        hint: 'stop it with Ctrl-C, wait a minute, and repeat this command',
      });
    await endRun(store, run);
    print(`removed: ${found.study} (${run})\n`);
  });

export async function command(argv: string[]): Promise<number> {
  const { values, positionals } = parseArguments(argv, options, usage);
  const [word, ...more] = positionals;
  if (word === 'status' && more.length === 0) {
    prepareJson(values.json);
    return status(values.queue, values.json);
  }
  if (word === 'remove' && more.length === 1) return remove(values.queue, more[0]!);
  if (word === 'key' && more.length === 0) {
    process.stdout.write(`${PlannerKey.ofUser().name}\n`);
    return exitStatus.done;
  }
  throw new CoexistError(
    'usage',
    `npm run queue takes status, "remove RUN" or key${word === undefined ? '' : `, not "${positionals.join(' ')}"`}`,
    { hint: usage },
  );
}
