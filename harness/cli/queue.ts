/** `npm run queue`: what is in a queue and who works on it, and the key that workers have to trust. */
import { CoexistError, exitStatus } from '../../core/errors.ts';
import { formatDuration } from '../../core/units.ts';
import { PlannerKey } from '../queue/planner-key.ts';
import { readStatus } from '../queue/status.ts';
import type { RunStatus, WorkerStatus } from '../queue/status.ts';
import { Store } from '../queue/store.ts';
import { parseArguments } from './arguments.ts';

const usage = 'npm run queue -- status --queue postgres://user@host/database [--json] | npm run queue -- key';

const options = {
  queue: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

const ago = (seconds: number) => `${formatDuration(Math.max(0, Math.round(seconds)) * 1000)} ago`;

function workerLine({ machine, id, code, doing, isHere, seenSeconds }: WorkerStatus): string {
  return `  ${machine} (${id.slice(0, 8)})  version ${code}  ${isHere ? (doing === null ? 'waits for trials' : `runs ${doing}`) : `not heard of any more, last ${ago(seenSeconds)}`}`;
}

function runLines({
  id,
  study,
  code,
  plannerSeenSeconds,
  waiting,
  running,
  done,
  failed,
  refusals,
  rounds,
}: RunStatus): string[] {
  return [
    `  ${study} (${id})  version ${code}: ${waiting} waiting, ${running} running, ${done} done, ${failed.length} failed; its planner was heard of ${ago(plannerSeenSeconds)}`,
    ...Object.entries(rounds).map(
      ([machine, count]) => `    ${count} ${count === 1 ? 'round' : 'rounds'} on ${machine}`,
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

async function status(url: string | undefined, json: boolean): Promise<number> {
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
    const found = await readStatus(store);
    process.stdout.write(json ? `${JSON.stringify(found, null, 1)}\n` : describeStatus(found));
    return exitStatus.done;
  } finally {
    await store.close();
  }
}

export async function command(argv: string[]): Promise<number> {
  const { values, positionals } = parseArguments(argv, options, usage);
  const [word, ...more] = positionals;
  if (values.help === true) {
    process.stdout.write(`${usage}\n`);
    return exitStatus.done;
  }
  if (word === 'status' && more.length === 0) return status(values.queue, values.json === true);
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
