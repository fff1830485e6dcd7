/**
 * `--queue`: lets workers run the trials of a study. `--queue local` also starts a database and one worker, and stops
 * both when the command ends.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { CoexistError } from '../../core/errors.ts';
import { childEnvironment } from '../../core/system/child-environment.ts';
import { projectRoot } from '../../core/system/paths.ts';
import { Scope } from '../../core/system/scope.ts';
import { LocalPostgres } from '../queue/local-postgres.ts';
import { type LaneSettings, orderFormat, type RunOrder } from '../queue/order.ts';
import { PlannerKey } from '../queue/planner-key.ts';
import { PlannerSide } from '../queue/planner-side.ts';
import { QueueLane } from '../queue/queue-lane.ts';
import { helpersOf } from '../queue/status.ts';
import { describeUrl, Store } from '../queue/store.ts';
import { codeVersion } from '../record/code-version.ts';
import { machineName } from '../record/machine-name.ts';
import type { RunFolder } from '../record/run-folder.ts';
import type { StudyOptions } from '../trial/study.ts';

type OverQueueOptions = {
  /** Value of `--queue`: "local", or the URL of a database. */
  queue: string;
  kind: string;
  plan: unknown;
  folder: StudyOptions['folder'] & Pick<RunFolder, 'file'>;
  /** SHA-256 of each file that the plan names, by the path of the file. */
  files: Record<string, string>;
  lane: LaneSettings;
  say(text: string): void;
  signal: AbortSignal;
};

const lookMs = 3000;
const stopMs = 30_000;

/** Returns true if this machine runs the trials, either in its own lanes or by a local worker. */
export const isHere = (queue: string | undefined) => queue === undefined || queue === 'local';

/** Throws `usage` if `--queue` does not name a database, or is combined with an option that does not fit. */
export function checkQueueOption({ queue, headed }: { queue?: string; headed?: boolean }): void {
  if (queue === undefined) return;
  if (headed === true)
    throw new CoexistError(
      'usage',
      '--headed cannot be combined with --queue: workers run their browsers without a window',
      { hint: 'leave out one of them' },
    );
  if (queue !== 'local' && !/^postgres(ql)?:\/\//.test(queue))
    throw new CoexistError('usage', `--queue ${describeUrl(queue)} is not the address of a PostgreSQL database`, {
      hint: 'write --queue local, or --queue postgres://user@host/database',
    });
}

/**
 * Worker of `--queue local`, a process that ends with this process. The worker does not measure the noise floor, since
 * a study without a queue does not measure it either.
 */
class LocalWorker {
  readonly #child: ChildProcess;
  #isStopping = false;

  /** Starts the worker. `scope`: ends if the worker ends before `stop` is called. */
  constructor(url: string, key: PlannerKey, scope: Scope) {
    this.#child = spawn(
      process.execPath,
      [
        '--disable-warning=ExperimentalWarning',
        `${projectRoot}harness/main.ts`,
        'worker',
        '--queue',
        url,
        `--trust=${key.name}`, // "=" is needed because keys of older versions may begin with "-"
        '--skip-noise-floor',
      ],
      { stdio: ['ignore', 2, 2, 'ipc'], env: childEnvironment() },
    );
    this.#child.once('exit', (status, killer) => {
      if (this.#isStopping) return;
      scope.end(
        killer === null
          ? new CoexistError('command-failed', `the worker ended with status ${status}`, {
              hint: 'its last lines above say why',
            })
          : new CoexistError('command-failed', `the worker was ended by ${killer}`),
      );
    });
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    if (this.#child.connected) this.#child.disconnect();
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), stopMs);
    await ended;
    clearTimeout(timer);
  }
}

/** Prints which workers take trials of the run, and which machines refuse the run, with their reasons. */
async function watchHelpers(store: Store, order: RunOrder, mend: string, say: (text: string) => void): Promise<void> {
  const { machines, refusals } = await helpersOf(store, order.run, order.code);
  const refused = refusals.map(({ machine, reason }) => `; ${machine} takes no trials of this run: ${reason}`).join('');
  say(
    machines.length === 0
      ? `no worker takes trials of this run now${refused}\n  -> ${mend}`
      : `workers: ${machines.join(', ')}${refused}`,
  );
}

/**
 * Connects a study to the queue and calls `body`. When `body` has ended, stops everything that this function started.
 */
export async function overQueue<T>(
  { queue, kind, plan, files, folder, lane, say, signal }: OverQueueOptions,
  body: (way: Required<Pick<StudyOptions, 'openLane'>> & { signal: AbortSignal }) => Promise<T>,
): Promise<T> {
  const isLocal = queue === 'local';
  const key = isLocal ? PlannerKey.temporary() : PlannerKey.ofUser();
  const run = createHash('sha256')
    .update(readFileSync(folder.file('plan.json')))
    .digest('hex')
    .slice(0, 16);
  const order: RunOrder = {
    format: orderFormat,
    run,
    code: codeVersion(),
    kind,
    machine: machineName(),
    plan,
    files,
    lane,
  };
  const log = (text: string) => say(`cleaning up after the study failed: ${text}`);
  let isFinished = false;
  return Scope.run({ signal, log }, async scope => {
    let url = queue;
    if (isLocal) {
      const postgres = await scope.open(LocalPostgres.start(), started => started.stop());
      url = postgres.url;
    }
    const store = await scope.open(Store.open({ url, say, signal, supervise: true }), opened => opened.close());
    const side = await scope.open(PlannerSide.open({ store, key, order, say, signal: scope.signal }), opened =>
      opened.close(isFinished),
    );
    if (isLocal) {
      const worker = new LocalWorker(url, key, scope);
      scope.defer(() => worker.stop());
    }
    let said = '';
    const look = () =>
      void watchHelpers(
        store,
        order,
        isLocal
          ? 'see the lines of the worker on this machine'
          : `start one with: npm run worker -- --queue ${describeUrl(url)} --trust=${key.name}`,
        text => {
          if (text !== said) say((said = text));
        },
      ).catch(() => {}); // the store itself reports a database that cannot be reached
    const timer = setInterval(look, lookMs);
    scope.defer(() => clearInterval(timer));
    const openLane: StudyOptions['openLane'] = () => Promise.resolve(new QueueLane(side, lane.study, folder));
    const result = await body({ openLane, signal: scope.signal });
    isFinished = true;
    return result;
  });
}
