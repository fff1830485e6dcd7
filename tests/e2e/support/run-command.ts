/** Starts the product's own command line as a user would, small and short, and looks at what is left afterwards. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, watch } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '../../../core/system/command.ts';
import { until, within } from '../../../core/system/deadline.ts';
import { type LeaseRecord, leases } from '../../../core/system/lease.ts';
import { below } from '../../unit/support/process-tree.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Why end-to-end tests cannot run here; undefined where they can. */
export const cannotRun = process.getuid?.() === 0 ? undefined : 'needs root, to make network namespaces';

/** A video that costs next to nothing, so that a busy machine does not void the trial. */
export const small = [
  '--set',
  'service.width=320',
  '--set',
  'service.height=180',
  '--set',
  'service.frameRate=30',
  '--set',
  'service.clipLength=1s',
  '--set',
  'service.maxBitrate=1mbit',
];
/** Two conditions of one second each. */
export const short = ['hello', '--set', 'run.window=1s', ...small];

export type Ended = { status: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string };

export class Session {
  readonly process: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Where the harness writes down what it makes: apart from that of other runs. */
  readonly stateFolder: string;
  stdout = '';
  stderr = '';

  /** `within`: words of a command that runs the rest of its words somewhere else. */
  constructor(
    args: string[],
    stateFolder: string,
    environment: NodeJS.ProcessEnv = {},
    within: readonly string[] = [],
  ) {
    this.stateFolder = stateFolder;
    const [file, ...before] = [...within, process.execPath];
    this.process = spawn(file!, [...before, '--disable-warning=ExperimentalWarning', 'harness/main.ts', ...args], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, COEXIST_STATE_DIR: stateFolder, ...environment },
    });
    this.process.stdout!.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text;
    });
    this.process.stderr!.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
    this.ended = new Promise(resolve =>
      this.process.once('close', (status, signal) =>
        resolve({ status, signal, stdout: this.stdout, stderr: this.stderr }),
      ),
    );
  }

  /** Waits until the command has printed something. */
  async printed(pattern: RegExp, ms = 60_000): Promise<void> {
    await within(
      Promise.race([
        until(() => (pattern.test(this.stdout + this.stderr) ? true : undefined), ms, String(pattern)),
        this.ended.then(ended => {
          throw new Error(`it ended with ${ended.status} before it printed ${pattern}: ${ended.stdout}${ended.stderr}`);
        }),
      ]),
      ms + 1000,
      String(pattern),
    );
  }

  /** Waits for its end; one that does not end is killed, so that it disturbs no other test. */
  async finish(ms = 120_000): Promise<Ended> {
    try {
      return await within(this.ended, ms, 'the command to end');
    } catch (error) {
      this.process.kill('SIGKILL');
      throw error;
    }
  }
}

/** Waits for a study's end; one that takes longer is stopped as by Ctrl-C, and keeps the trials that it has. */
export async function finishOrStop(session: Session, ms: number): Promise<Ended> {
  const timer = setTimeout(() => session.process.kill('SIGINT'), ms);
  try {
    return await session.finish(ms + 30_000);
  } finally {
    clearTimeout(timer);
  }
}

/** A folder for one test, with a state folder and room for runs; removed by `remove`, with what still runs in it. */
export class Place {
  readonly #sessions: Session[] = [];
  readonly path = mkdtempSync(join(tmpdir(), 'coexist-e2e-'));
  readonly state = join(this.path, 'state');
  readonly out = join(this.path, 'run');
  readonly #within: readonly string[];
  /** Ids of leases, those that are gone included. */
  readonly #ids = new Set<string>();

  /** `within`: where its commands run, where nothing else is said. */
  constructor(within: readonly string[] = []) {
    this.#within = within;
    mkdirSync(this.state, { mode: 0o700 });
    watch(this.state, { persistent: false }, (_, name) => {
      const [, id] = /^([0-9a-f]+)\.json$/.exec(name ?? '') ?? [];
      if (id !== undefined) this.#ids.add(id);
    }).on('error', () => {}); // its folder goes with the place
  }

  /** Namespaces that its commands have made and that are still there, whatever other tests make meanwhile. */
  async namespaces(): Promise<string[]> {
    const all = await allNamespaces();
    return all.filter(name => [...this.#ids].some(id => name.startsWith(`coexist-${id}-`)));
  }

  start(args: string[], environment: NodeJS.ProcessEnv = {}, within = this.#within): Session {
    const session = new Session(args, this.state, environment, within);
    this.#sessions.push(session);
    return session;
  }

  run(args: string[], environment: NodeJS.ProcessEnv = {}): Promise<Ended> {
    return this.start(args, environment).finish();
  }

  /** Names of complete trials. */
  trials(): string[] {
    const folder = join(this.out, 'trials');
    return existsSync(folder)
      ? readdirSync(folder)
          .filter(name => !name.startsWith('.'))
          .sort()
      : [];
  }

  /** Names of what is in the state folder: leases, and what belongs to them. */
  leases(): string[] {
    return existsSync(this.state) ? readdirSync(this.state) : [];
  }

  /** Removes from the machine what commands that were killed have left, if there is any. */
  async clean(): Promise<void> {
    if (this.leases().length > 0) await this.run(['clean']);
  }

  remove(): void {
    // a test that failed has not waited for them, and would wait for ever
    for (const { process: one } of this.#sessions) one.kill('SIGKILL');
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** Leases of a state folder; a run has more than one. */
export const leasesOf = (state: string): LeaseRecord[] => leases(state).map(({ record }) => record);

/** Network namespaces that the leases of a state folder, and only those, could have made. */
export async function namespacesOf(state: string): Promise<string[]> {
  const ids = leasesOf(state).map(({ id }) => id);
  const { stdout } = await run(['ip', 'netns', 'list']);
  return stdout
    .split('\n')
    .map(line => line.split(' ')[0]!)
    .filter(name => ids.some(id => name.startsWith(`coexist-${id}-`)));
}

/** All of this project's namespaces on the machine. */
export async function allNamespaces(): Promise<string[]> {
  const { stdout } = await run(['ip', 'netns', 'list']);
  return stdout
    .split('\n')
    .map(line => line.split(' ')[0]!)
    .filter(name => name.startsWith('coexist-'));
}

/**
 * Ids of processes whose command line contains a word, and not another: those in a namespace and those below them, as a
 * sandbox of Chromium's has a network namespace of its own.
 */
export async function processesIn(namespace: string, word: string, without?: string): Promise<number[]> {
  const { stdout } = await run(['ip', 'netns', 'pids', namespace], { allowFailure: true });
  const found: number[] = [];
  const there = stdout.split('\n').filter(Boolean).map(Number);
  for (const pid of new Set(there.flatMap(one => [one, ...below(one)]))) {
    const { stdout: line } = await run(['cat', `/proc/${pid}/cmdline`], { allowFailure: true });
    if (line.includes(word) && (without === undefined || !line.includes(without))) found.push(pid);
  }
  return found;
}
