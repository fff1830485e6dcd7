/** Running other programs: to their end with a deadline, or as children that are watched and stopped. */
import { type ChildProcess, spawn } from 'node:child_process';
import { type EventEmitter, once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { CoexistError, type ErrorCode, systemCode } from '../errors.ts';
import { childEnvironment } from './child-environment.ts';
import { within } from './deadline.ts';
import { killGroup } from './process-group.ts';

export type Output = { status: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string };

export type CommandOptions = {
  input?: string | Uint8Array;
  timeoutMs?: number;
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  /** Do not throw when the program ends with another status than 0. */
  allowFailure?: boolean;
  /** The error's code when it fails. */
  code?: ErrorCode;
  hint?: string;
  /** Ends the program and all that it has started, and the wait for it with an error. */
  signal?: AbortSignal;
};

/** A program that runs: a child process, or what stands for a program on another machine. */
export interface Program extends EventEmitter {
  /** Of this machine; undefined where it could not be started, or runs on another one. */
  readonly pid?: number | undefined;
  readonly exitCode: number | null;
  readonly signalCode: NodeJS.Signals | null;
  readonly stdin: Writable | null;
  readonly stdout: Readable | null;
  readonly stderr: Readable | null;
  readonly stdio: ChildProcess['stdio'];
  kill(signal?: NodeJS.Signals): boolean;
  /** On another machine: kills it and what it has started in its process group, as its end does there. */
  killGroup?(): void;
}

/** How long a program may run where nothing else is said, ms. */
export const defaultTimeoutMs = 30_000;

/**
 * A killed program that has left its process group and still holds its output open is not waited for longer than this,
 * ms.
 */
const pipesMs = 2000;

/** Kills a program and what it has started in its process group; only the program where it leads none. */
function killWhole(program: Program): void {
  if (program.killGroup !== undefined) return program.killGroup();
  if (!killGroup(program)) program.kill('SIGKILL');
}

let starts: Promise<void> = Promise.resolve();

/**
 * Resolves when a program may be started: one in each turn of the event loop. A start blocks the event loop until the
 * program's first instruction, and timers that are due meanwhile should wait for one start only, not for thirty.
 */
export function turnToStart(): Promise<void> {
  const turn = starts;
  starts = turn.then(() => new Promise(resolve => setImmediate(resolve)));
  return turn;
}

/**
 * Runs a program to its end. Output is text and kept whole. At its deadline it is killed with all that it has started.
 */
export async function run(argv: readonly string[], options: CommandOptions = {}): Promise<Output> {
  const [file, ...args] = argv;
  if (file === undefined) throw new Error('run: empty command');
  options.signal?.throwIfAborted();
  await turnToStart();
  options.signal?.throwIfAborted();
  // a group of its own: what a shell has started would outlive the shell, and hold its output open
  const child = spawn(file, args, {
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
    env: childEnvironment(options.env),
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  });
  return outputOf(child, argv, options);
}

/**
 * The output of a program with three pipes, after its end. `where`: the machine, where it is not this one. Throws
 * `timed-out` if it does not end although it was killed.
 */
export async function outputOf(
  child: Program,
  argv: readonly string[],
  options: CommandOptions = {},
  where?: string,
): Promise<Output> {
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout!.on('data', chunk => out.push(chunk));
  child.stderr!.on('data', chunk => err.push(chunk));
  child.stdin!.on('error', () => {}); // a program that ends before it has read everything is not an error of ours
  child.stdin!.end(options.input ?? '');
  let pipes: NodeJS.Timeout | undefined;
  // one in uninterruptible sleep cannot be killed: "ip" at a device that hangs, for example
  const { promise: stuck, reject: giveUp } = Promise.withResolvers<never>();
  const end = () => {
    killWhole(child);
    pipes = setTimeout(() => {
      child.stdout!.destroy();
      child.stderr!.destroy();
      if (child.killGroup !== undefined) return; // its host knows when a machine is lost
      pipes = setTimeout(
        () => giveUp(new CoexistError('timed-out', `"${shownCommand(argv)}" was killed and has not ended`)),
        pipesMs,
      );
    }, pipesMs);
  };
  const timer = setTimeout(end, options.timeoutMs ?? defaultTimeoutMs);
  options.signal?.addEventListener('abort', end, { once: true });
  let status: number | null;
  let signal: NodeJS.Signals | null;
  try {
    [status, signal] = (await Promise.race([once(child, 'close'), stuck])) as [number | null, NodeJS.Signals | null];
  } catch (error) {
    if (error instanceof CoexistError) throw error;
    throw spawnError(error, argv[0]!, where);
  } finally {
    clearTimeout(timer);
    clearTimeout(pipes);
    options.signal?.removeEventListener('abort', end);
  }
  options.signal?.throwIfAborted();
  const output = { status, signal, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() };
  if (status !== 0 && !options.allowFailure) throw commandError(argv, output, options, where);
  return output;
}

/** The error for a program that could not be started. */
function spawnError(error: unknown, file: string, where?: string): unknown {
  return systemCode(error) === 'ENOENT' ? missingProgram(file, where, error) : error;
}

function missingProgram(file: string, where?: string, cause?: unknown): CoexistError {
  return new CoexistError(
    'missing-program',
    `the program "${file}" is not installed${where === undefined ? '' : ` on ${where}`}`,
    {
      hint:
        `run "npm run doctor${where === undefined ? '' : ' -- --hosts hosts.json'}" to see what is missing and the ` +
        'command that installs it',
      cause,
    },
  );
}

/** More of a command no message has room for, characters. */
const mostShown = 160;

/** A command in one line: a script of a shell has many. */
function shownCommand(argv: readonly string[]): string {
  const words = argv.join(' ').replace(/\s+/g, ' ');
  return words.length <= mostShown ? words : `${words.slice(0, mostShown)}...`;
}

/** What a shell says of a program that it does not find (sh(1)): status 127, and its name. */
const notFound = /(?:^|: )(\S+): (?:command )?not found$/m;

function commandError(argv: readonly string[], output: Output, options: CommandOptions, where?: string): unknown {
  const missing = output.status === 127 ? notFound.exec(output.stderr)?.[1] : undefined;
  if (missing !== undefined) return missingProgram(missing, where);
  const said = (output.stderr.trim() || output.stdout.trim()).split('\n')[0] ?? '';
  const how = output.signal !== null ? `was ended by ${output.signal}` : `failed with status ${output.status}`;
  return new CoexistError(
    options.code ?? 'command-failed',
    `"${shownCommand(argv)}" ${how}${said === '' ? '' : `: ${said}`}`,
    options.hint === undefined ? {} : { hint: options.hint },
  );
}

/**
 * A child that runs beside us: its end is awaited, its last words are kept, and it is stopped by id. When it ends, for
 * whatever reason, what is left of its process group is killed.
 */
export class Child {
  readonly name: string;
  readonly process: Program;
  /** Resolves when the program has ended and its output is read; never rejects. */
  readonly ended: Promise<{ status: number | null; signal: NodeJS.Signals | null }>;
  stopping = false;
  #stderr = '';

  constructor(name: string, process: Program) {
    this.name = name;
    this.process = process;
    process.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-8192);
    });
    this.ended = new Promise(resolve => {
      process.once('error', error => {
        this.#stderr += String(error);
        resolve({ status: 127, signal: null });
      });
      // at once and not in "stop", when the group's number may be another's; a machine's agent does the same there
      process.once('exit', () => {
        if (process.killGroup === undefined) killGroup(process);
      });
      process.once('close', (status, signal) => resolve({ status, signal }));
    });
  }

  get pid(): number | undefined {
    return this.process.pid;
  }

  get alive(): boolean {
    const { pid, killGroup: elsewhere, exitCode, signalCode } = this.process;
    return (pid !== undefined || elsewhere !== undefined) && exitCode === null && signalCode === null;
  }

  /** The last line the program wrote to its standard error. */
  get lastWords(): string {
    return this.#stderr.trim().split('\n').at(-1) ?? '';
  }

  get stderr(): string {
    return this.#stderr;
  }

  /**
   * Asks the program to end, then ends it; all that it has started in its process group is killed with it. Returns when
   * the program has ended; throws `timed-out` where it cannot be ended.
   */
  async stop(signal: NodeJS.Signals = 'SIGTERM', graceMs = 2000): Promise<void> {
    this.stopping = true;
    if (!this.alive) return; // its group was killed when it ended
    this.process.kill(signal);
    try {
      await within(this.ended, graceMs, `${this.name} to end`);
    } catch {
      killWhole(this.process);
      await within(this.ended, 10_000, `${this.name} to be killed`);
    }
  }
}
