/** Runs other programs: to their end with a deadline, or in parallel as children that can be watched and stopped. */
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
  /** True to return the output even if the program fails. Otherwise a failure throws an error. */
  allowFailure?: boolean;
  /** Code of the error that is thrown if the program fails. Default: `command-failed`. */
  code?: ErrorCode;
  hint?: string;
  /** Signal whose abort kills the program and its process group; the call then throws the signal's reason. */
  signal?: AbortSignal;
};

/** A program that was started: a child process, or a stand-in for a program on another machine. */
export interface Program extends EventEmitter {
  /** Process id on this machine. Undefined if the program could not be started or runs on another machine. */
  readonly pid?: number | undefined;
  readonly exitCode: number | null;
  readonly signalCode: NodeJS.Signals | null;
  readonly stdin: Writable | null;
  readonly stdout: Readable | null;
  readonly stderr: Readable | null;
  readonly stdio: ChildProcess['stdio'];
  kill(signal?: NodeJS.Signals): boolean;
  /** Kills the program and its process group on another machine. Undefined for a program on this machine. */
  killGroup?(): void;
}

/** Time after which a program is killed if the caller sets no other limit, ms. */
export const defaultTimeoutMs = 30_000;

/**
 * Longest wait, ms, after a program was killed. Its output may stay open because another process left the process group
 * and still holds the output.
 */
const pipesMs = 2000;

/** Kills a program and its process group, or only the program if it leads no process group. */
function killWhole(program: Program): void {
  if (program.killGroup !== undefined) return program.killGroup();
  if (!killGroup(program)) program.kill('SIGKILL');
}

let starts: Promise<void> = Promise.resolve();

/**
 * Resolves when the caller may start a program: one start per turn of the event loop. A start blocks the event loop
 * until the program's first instruction. With one start per turn, a timer that is due waits for one start only, not for
 * thirty.
 */
export function turnToStart(): Promise<void> {
  const turn = starts;
  starts = turn.then(() => new Promise(resolve => setImmediate(resolve)));
  return turn;
}

/**
 * Runs a program to its end and returns its whole output as text. Kills the program and its process group at the
 * deadline.
 */
export async function run(argv: readonly string[], options: CommandOptions = {}): Promise<Output> {
  const [file, ...args] = argv;
  if (file === undefined) throw new Error('run: empty command');
  options.signal?.throwIfAborted();
  await turnToStart();
  options.signal?.throwIfAborted();
  // in a process group of its own: processes that a shell started would outlive the shell and hold its output open
  const child = spawn(file, args, {
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
    env: childEnvironment(options.env),
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  });
  return outputOf(child, argv, options);
}

/**
 * Returns the output of a program after its end. `child`: the started program, with pipes for input, output and errors.
 * `where`: name of the machine, for messages, if it is not this one. Throws `timed-out` if the program was killed and
 * does not end.
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
  child.stdin!.on('error', () => {}); // ignored: a program may end before it has read all of its input
  child.stdin!.end(options.input ?? '');
  let pipes: NodeJS.Timeout | undefined;
  // a program in uninterruptible sleep cannot be killed, for example "ip" on a device that hangs
  const { promise: stuck, reject: giveUp } = Promise.withResolvers<never>();
  const end = () => {
    killWhole(child);
    pipes = setTimeout(() => {
      child.stdout!.destroy();
      child.stderr!.destroy();
      if (child.killGroup !== undefined) return; // the host of that machine notices if the machine is lost
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

/** Maximum length of a command in a message, characters. */
const mostShown = 160;

/** Returns a command as one line of limited length, since a shell script may have many lines. */
function shownCommand(argv: readonly string[]): string {
  const words = argv.join(' ').replace(/\s+/g, ' ');
  return words.length <= mostShown ? words : `${words.slice(0, mostShown)}...`;
}

/** Message of a shell that does not find a program (sh(1)). The exit status is then 127. */
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
 * A program that runs in parallel. Callers can wait for its end, read its last error output and stop it. When it ends,
 * for whatever reason, the rest of its process group is killed.
 */
export class Child {
  readonly name: string;
  readonly process: Program;
  /** Resolves when the program has ended and its output has been read. Never rejects. */
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
      // not in "stop", because the number of the process group may then belong to another group; on another machine the
      // agent does the same
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

  /** Last line of the program's standard error. */
  get lastWords(): string {
    return this.#stderr.trim().split('\n').at(-1) ?? '';
  }

  get stderr(): string {
    return this.#stderr;
  }

  /**
   * Sends `signal` to the program, and after `graceMs` kills the program and its process group. Resolves when the
   * program has ended. Throws `timed-out` if it does not end although it was killed.
   */
  async stop(signal: NodeJS.Signals = 'SIGTERM', graceMs = 2000): Promise<void> {
    this.stopping = true;
    if (!this.alive) return; // its process group was killed when it ended
    this.process.kill(signal);
    try {
      await within(this.ended, graceMs, `${this.name} to end`);
    } catch {
      killWhole(this.process);
      await within(this.ended, 10_000, `${this.name} to be killed`);
    }
  }
}
