/** Runs the programs that set-up needs, each with a deadline, and as root if necessary. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { startFor } from './person.mjs';
import { findProgram } from './programs.mjs';

export const root = fileURLToPath(new URL('../../', import.meta.url));

/** Error that the user has to remedy. Its message is printed without a stack trace. */
export class SetupError extends Error {}

/** Time limit of downloads and builds, minutes. It allows for slow lines and machines. */
const longestMinutes = 30;
/** Time limit of programs that only answer a question, minutes. */
const answerMinutes = 1;
/**
 * Time for which sudo waits for a password, minutes (sudoers(5), passwd_timeout). It is added to the time limit of the
 * program.
 */
const passwordMinutes = 6;
/**
 * Command lines that `rootly` returned for root. They keep the rights of root when set-up acts for the user of sudo.
 */
const ofRoot = new WeakSet();
/**
 * Exit statuses of timeout(1) when the time limit has passed: 124 if the program ended at the first signal, 137 if it
 * had to be killed.
 */
const timedOutStatuses = [124, 137];

/**
 * Runs a program and returns its result. Throws an error with the last lines of the output if the program fails or its
 * time limit passes. `allowFailure`: true to return the result in these cases.
 */
export function run(argv, { env = {}, allowFailure = false, cwd = root, minutes } = {}) {
  const least = minutes ?? (allowFailure ? answerMinutes : longestMinutes);
  const isSudo = argv[0] === 'sudo';
  // this process cannot signal a process of root, so timeout(1) enforces the time limit as root
  const line = isSudo
    ? ['sudo', 'timeout', '--foreground', '--kill-after=10', `${least * 60}`, ...argv.slice(1)]
    : argv;
  const options = {
    // English, because the output is parsed and quoted in messages
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
 * Returns the command line that runs `argv` as root: unchanged if this process is root, otherwise through sudo. Throws
 * an error with the command for an administrator if sudo is missing.
 */
export function rootly(argv) {
  if (process.getuid() === 0) {
    ofRoot.add(argv);
    return argv;
  }
  if (findProgram('sudo') !== undefined) return ['sudo', ...argv];
  throw new SetupError(`this needs root, and there is no sudo. Ask an administrator to run:\n  ${argv.join(' ')}`);
}
