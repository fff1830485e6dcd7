/** Programs that set-up runs, each with a deadline, and as root where that is needed. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { startFor } from './person.mjs';
import { findProgram } from './programs.mjs';

export const root = fileURLToPath(new URL('../../', import.meta.url));

/** What a person must do; its message is all they see. */
export class SetupError extends Error {}

/** What brings or builds something may take so long on a slow line or machine. */
const longestMinutes = 30;
/** What only answers a question. */
const answerMinutes = 1;
/** A password for sudo is asked for so long (sudoers(5), passwd_timeout), beside the program's own time. */
const passwordMinutes = 6;
/** Command lines of `rootly` for root itself, which are not run with the rights of whoever has called sudo. */
const ofRoot = new WeakSet();
/** timeout(1)'s status where it ended the program, and where it had to kill it. */
const timedOutStatuses = [124, 137];

/** Throws with the program's last lines where it fails, also where `allowFailure` is not said and its time is over. */
export function run(argv, { env = {}, allowFailure = false, cwd = root, minutes } = {}) {
  const least = minutes ?? (allowFailure ? answerMinutes : longestMinutes);
  const isSudo = argv[0] === 'sudo';
  // root's process takes no signal from us: there its deadline stands on the command line
  const line = isSudo
    ? ['sudo', 'timeout', '--foreground', '--kill-after=10', `${least * 60}`, ...argv.slice(1)]
    : argv;
  const options = {
    // what it says is read here, and quoted in messages that are in English
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
 * A command line as root: as it is for root, else through sudo; throws with the command to type where there is no sudo.
 */
export function rootly(argv) {
  if (process.getuid() === 0) {
    ofRoot.add(argv);
    return argv;
  }
  if (findProgram('sudo') !== undefined) return ['sudo', ...argv];
  throw new SetupError(`this needs root, and there is no sudo. Ask an administrator to run:\n  ${argv.join(' ')}`);
}
