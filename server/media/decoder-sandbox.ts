/**
 * Starts a decoder in a sandbox (core/system/sandbox.ts) without a network and without access to sockets and processes
 * of the machine. All processes in the sandbox end when the decoder ends. If the machine does not allow a sandbox, the
 * decoder starts without one, which the doctor reports. The decoder has no privileges in either case
 * (core/system/unprivileged.ts).
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, realpathSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { bareTextEnvironment } from '../../core/system/child-environment.ts';
import { Child } from '../../core/system/command.ts';
import { within } from '../../core/system/deadline.ts';
import { projectRoot } from '../../core/system/paths.ts';
import { inNamespaces, sandboxScript } from '../../core/system/sandbox.ts';
import { tasksOfNobody } from '../../core/system/unprivileged.ts';
import { isInUserNamespace } from '../../core/system/user-namespace.ts';
import { quoteWord } from '../../core/text/shell.ts';

/** Size of the sandbox's file system, MiB. The decoder writes no files. */
const sizeMiB = 16;
/** Descriptor on which the shell reports that the sandbox is ready. The shell closes it before the decoder starts. */
const madeDescriptor = 4;
/** Longest time that making the sandbox may take, ms. The machine may be busy. */
const makeMs = 60_000;
/** Number of attempts to make the sandbox. A first failure may be temporary, for example a full table. */
const mostTries = 2;

/**
 * Reason why this machine allows no sandbox; null if none is known. After `mostTries` failures no further sandbox is
 * tried.
 */
let obstacle: string | null = null;

/** Returns the folders in which Node looks for packages: node_modules in this checkout and in the folders above it. */
function packageFolders(): string[] {
  const found: string[] = [];
  for (let folder = dirname(join(projectRoot, 'package.json')); ; folder = dirname(folder)) {
    found.push(join(folder, 'node_modules'));
    if (folder === dirname(folder)) return found.filter(path => existsSync(path));
  }
}

/**
 * Returns the shell script that makes the sandbox and starts the decoder in it. `program`: a TypeScript file of this
 * checkout, which `argv` starts with Node.
 */
function script(root: string, program: string, argv: readonly string[]): string {
  const { execPath } = process;
  const isNested = isInUserNamespace();
  const files = [
    ...packageFolders(),
    ...[execPath, realpathSync(execPath), program].map(path => dirname(path)),
    ...['package.json', 'core'].map(name => join(projectRoot, name)),
    import.meta.dirname,
  ];
  return sandboxScript({ root, sizeMiB, files, isInUserNamespace: isNested }, [
    'set +e', // the script ends with the exit status of the decoder
    ...(isNested ? [] : [`prlimit --pid $$ --nproc=${tasksOfNobody} 2> /dev/null`]),
    `echo made >&${madeDescriptor}`,
    `exec ${madeDescriptor}>&-`,
    argv.map(quoteWord).join(' '),
    'exit $?',
  ]);
}

async function isMade(child: Child): Promise<boolean> {
  try {
    for await (const _ of child.process.stdio[madeDescriptor] as Readable) return true;
  } catch {
    // The sandbox could not be started.
  }
  return false;
}

export type StartedDecoder = {
  child: Child;
  /** Ends the decoder and all processes that it has started. */
  end(): Promise<void>;
};

/** File descriptor that becomes descriptor 3 of the decoder; null for the null device. */
type File = number | null;

function start([name, ...words]: readonly string[], file: File, ...more: 'pipe'[]): StartedDecoder {
  const process_ = spawn(name!, words, {
    stdio: ['pipe', 'pipe', 'pipe', file ?? 'ignore', ...more],
    detached: true,
    env: bareTextEnvironment(),
  });
  process_.stdin!.on('error', () => {}); // the end of the process is noticed elsewhere
  const child = new Child('the decoder', process_);
  return {
    child,
    async end() {
      process_.stdout!.destroy(); // unread output would delay its end
      await child.stop('SIGKILL');
    },
  };
}

/**
 * Removes the empty root folder of the sandbox. Never removes its content, because another file system may be mounted
 * there.
 */
function removeRoot(root: string): void {
  try {
    rmdirSync(root);
  } catch {
    // No error: the folder is not empty, or another process has removed it.
  }
}

/** Starts the decoder in a sandbox. Returns the reason instead if the sandbox cannot be made. Throws `timed-out`. */
async function startInSandbox(argv: readonly string[], program: string, file: File): Promise<StartedDecoder | string> {
  const root = mkdtempSync(join(tmpdir(), 'coexist-decoder-'));
  const command = inNamespaces(['/bin/sh', '-c', script(root, program, argv)], { hasNetwork: false });
  const decoder = start(command, file, 'pipe');
  const { child } = decoder;
  try {
    if (await within(isMade(child), makeMs, 'the sandbox of the decoder to be made')) return decoder;
    await decoder.end();
    await within(child.ended, makeMs, 'the sandbox of the decoder to end'); // then its error output is complete
    return child.lastWords;
  } catch (error) {
    await decoder.end();
    throw error;
  } finally {
    removeRoot(root); // a finished sandbox no longer uses this folder (pivot_root)
  }
}

/**
 * Starts the decoder `argv`, in a sandbox if possible. `file` becomes its descriptor 3; its standard streams are pipes.
 * `program`: file of the program, whose folder the sandbox makes readable. Throws `timed-out`.
 */
export async function startDecoder(argv: readonly string[], program: string, file: File): Promise<StartedDecoder> {
  let reason = '';
  for (let tries = 0; obstacle === null && tries < mostTries; tries++) {
    const decoder = await startInSandbox(argv, program, file);
    if (typeof decoder !== 'string') return decoder;
    reason = decoder;
  }
  obstacle ??= reason;
  return start(argv, file);
}

/**
 * Tries to start a program in a sandbox. Returns the reason if this machine allows no sandbox, else null. Throws
 * `timed-out`.
 */
export async function decoderObstacle(): Promise<string | null> {
  const { end } = await startDecoder(['true'], import.meta.filename, null);
  await end();
  return obstacle;
}
