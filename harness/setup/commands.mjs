/** Runs the programs of set-up, each with a deadline, and as root if needed. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { startFor } from './person.mjs';
import { findProgram } from './programs.mjs';

export const root = fileURLToPath(new URL('../../', import.meta.url));

/** Error that asks the user for an action. Only its message is printed. */
export class SetupError extends Error {}

/** Time limit of downloads and builds, for slow lines and machines. */
const longestMinutes = 30;
/** Time limit of queries. */
const answerMinutes = 1;
/** Time in which sudo waits for a password (sudoers(5), passwd_timeout), in addition to the program's own time. */
const passwordMinutes = 6;
/** Command lines of `rootly` for root. They keep root's rights under sudo. */
const ofRoot = new WeakSet();
/** Exit statuses of timeout(1): the program was ended, or had to be killed. */
const timedOutStatuses = [124, 137];

/** Runs a program. Throws with its last lines if it fails, unless `allowFailure` is set, or if its time is over. */
export function run(argv, { env = {}, allowFailure = false, cwd = root, minutes } = {}) {
  const least = minutes ?? (allowFailure ? answerMinutes : longestMinutes);
  const isSudo = argv[0] === 'sudo';
  // this process cannot signal root's, so timeout(1) enforces the deadline there
  const line = isSudo
    ? ['sudo', 'timeout', '--foreground', '--kill-after=10', `${least * 60}`, ...argv.slice(1)]
    : argv;
  const options = {
    // the output is parsed here and quoted in English messages
    env: { ...process.env, LC_ALL: 'C', ...env },
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 1 << 26,
    timeout: (least + (isSudo ? passwordMinutes : 0)) * 60e3,
    killSignal: 'SIGKILL',
  };
  const result = startFor(spawnSync, line, options, { asRoot: ofRoot.has(argv) });
  if (result.status === 0 || allowFailure) return result;
  if (result.error?.code === 'ETIMEDOUT' || (isSudo && timedOutStatuses.includes(result.status)))
    throw new SetupError(
      `set-up has waited ${least} min for "${argv.join(' ')}" to end\n  -> run it by hand to see what it waits for, and start again`,
    );
  const said = `${result.stdout ?? ''}${result.stderr ?? ''}`.trim().split('\n').slice(-6).join('\n  ');
  throw new SetupError(
    `set-up could not run "${argv.join(' ')}"${result.error ? ` (${result.error.message})` : ''}:\n  ${said}`,
  );
}

/**
 * Command line as root: unchanged for root, else through sudo. Throws with the command for an administrator if sudo is
 * missing.
 */
export function rootly(argv) {
  if (process.getuid() === 0) {
    ofRoot.add(argv);
    return argv;
  }
  if (findProgram('sudo') !== undefined) return ['sudo', ...argv];
  throw new SetupError(`this needs root, and there is no sudo. Ask an administrator to run:\n  ${argv.join(' ')}`);
}
