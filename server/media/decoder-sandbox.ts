/**
 * Starts a decoder in a sandbox (core/system/sandbox.ts): without a network, without sockets of the machine's services,
 * and with no process but its own, which all end with it. Where the machine does not allow this, the decoder is started
 * without, which the doctor tells; it has no privileges either way (core/system/unprivileged.ts).
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

/** It writes to no file. */
const sizeMiB = 16;
/** The shell says here that the sandbox is made; the decoder does not get this descriptor. */
const madeDescriptor = 4;
/** The machine may be busy. */
const makeMs = 60_000;
/** Once may be bad luck: a table that is full for a moment. */
const mostTries = 2;

/** Why this machine lets no decoder have a sandbox: found by trying, and not tried again; null where none has failed. */
let obstacle: string | null = null;

/** Where packages are found from here: those of this checkout, or those that it is itself one of. */
function packageFolders(): string[] {
  const found: string[] = [];
  for (let folder = dirname(join(projectRoot, 'package.json')); ; folder = dirname(folder)) {
    found.push(join(folder, 'node_modules'));
    if (folder === dirname(folder)) return found.filter(path => existsSync(path));
  }
}

/** `program`: a TypeScript file of this checkout, which `argv` starts with Node. */
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
    'set +e', // its end is its own
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
    // it could not be started
  }
  return false;
}

export type StartedDecoder = {
  child: Child;
  /** Ends it, with all that it has started. */
  end(): Promise<void>;
};

/** Descriptor that is its 3; null: the null device. */
type File = number | null;

function start([name, ...words]: readonly string[], file: File, ...more: 'pipe'[]): StartedDecoder {
  const process_ = spawn(name!, words, {
    stdio: ['pipe', 'pipe', 'pipe', file ?? 'ignore', ...more],
    detached: true,
    env: bareTextEnvironment(),
  });
  process_.stdin!.on('error', () => {}); // its end is noticed
  const child = new Child('the decoder', process_);
  return {
    child,
    async end() {
      process_.stdout!.destroy(); // what nobody reads would hold up its end
      await child.stop('SIGKILL');
    },
  };
}

/** Not with what is in it: it is empty here, and whatever may be mounted there is not ours to remove. */
function removeRoot(root: string): void {
  try {
    rmdirSync(root);
  } catch {
    // an empty folder that stays, or that somebody else has removed, is no reason to fail
  }
}

/** Starts it in a sandbox; where that cannot be made, why not. Throws `timed-out`. */
async function startInSandbox(argv: readonly string[], program: string, file: File): Promise<StartedDecoder | string> {
  const root = mkdtempSync(join(tmpdir(), 'coexist-decoder-'));
  const command = inNamespaces(['/bin/sh', '-c', script(root, program, argv)], { hasNetwork: false });
  const decoder = start(command, file, 'pipe');
  const { child } = decoder;
  try {
    if (await within(isMade(child), makeMs, 'the sandbox of the decoder to be made')) return decoder;
    await decoder.end();
    await within(child.ended, makeMs, 'the sandbox of the decoder to end'); // its last words are read then
    return child.lastWords;
  } catch (error) {
    await decoder.end();
    throw error;
  } finally {
    removeRoot(root); // the sandbox has left this folder when it is made (pivot_root)
  }
}

/**
 * Starts `argv`, with what `file` is open as as its descriptor 3 and pipes for the others. `program`: its own file,
 * whose folder it has to read. Throws `timed-out`.
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

/** Why decoders here have no sandbox, found by trying; null where they have. Throws `timed-out`. */
export async function decoderObstacle(): Promise<string | null> {
  const { end } = await startDecoder(['true'], import.meta.filename, null);
  await end();
  return obstacle;
}
