/**
 * Connects Playwright to a browser on a host. Playwright starts a program on this machine as it would start the
 * browser. The program becomes the browser, or forwards the browser's DevTools pipe to another machine.
 */
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CoexistError } from '../../../core/errors.ts';
import { until } from '../../../core/system/deadline.ts';
import type { LocalHost } from '../../../core/system/host.ts';
import { isAlive, startTicks } from '../../../core/system/process-id.ts';
import { quoteWord } from '../../../core/text/shell.ts';
import { Bounds } from './bounds.ts';
import { type BrowserCommandOptions, browserCommand } from './browser-command.ts';
import type { Confinement } from './confinement.ts';
import { profileIn, withoutPlaywrightsFolder } from './profile-folder.ts';
import type { UseLimits } from './use.ts';

/** Confinement of a browser, and the way in which its limits are enforced. */
export type BrowserConfinement = Confinement & { limits: Bounds['kind'] };

export type Entrance = {
  /** Path of the program for Playwright to start, with the browser's switches as arguments. */
  program: string;
  environment: Record<string, string>;
  /** True: Chromium's own sandbox is used. */
  hasChromiumSandbox: boolean;
  confinement(): BrowserConfinement;
  /** Starts the checks of the browser's limits. Calls `onExcess` once if the browser exceeds a limit. */
  watch(onExcess: (error: CoexistError) => void): void;
  /**
   * Returns the error for a browser that ended unexpectedly. `what`: message of the error if no better reason is known.
   */
  ended(what: string): Promise<CoexistError>;
  /** Kills a browser that does not close. Throws `timed-out`. */
  kill(): Promise<void>;
  /** Ends all processes that are left once the browser is closed. */
  end(): Promise<void>;
};

export type EntranceOptions = BrowserCommandOptions & {
  limits: UseLimits;
  /** Path of a file for the browser's own log. Undefined: no log. */
  log?: string;
};

const killMs = 5000;

/**
 * Makes the entrance to a browser on this machine. `directory`: folder for the browser's files. No other program writes
 * into it.
 */
export async function entranceHere(host: LocalHost, options: EntranceOptions, directory: string): Promise<Entrance> {
  const { command, environment, confinement: found } = await browserCommand(options, directory);
  const bounds = await Bounds.make(options.limits, directory, options.isTrusted);
  const [program, idFile] = [join(directory, 'browser'), join(directory, 'id')];
  const words = host.command(bounds.command(command)).map(quoteWord).join(' ');
  const log = options.log === undefined ? '' : ` 2>${quoteWord(options.log)}`;
  const profile = found.isConfined ? '' : ` ${profileIn(directory)}`;
  writeFileSync(
    program,
    `#!/bin/sh\necho $$ > ${quoteWord(idFile)}\n${withoutPlaywrightsFolder}exec ${words} "$@"${profile}${log}\n`,
  );
  chmodSync(program, 0o700);
  /** Returns the id of the browser's first process. */
  const id = () => Number(readFileSync(idFile, 'utf8'));
  return {
    program,
    environment,
    hasChromiumSandbox: found.hasChromiumSandbox,
    confinement: () => ({ ...found, limits: bounds.kind }),
    watch: onExcess => bounds.watch(id(), onExcess),
    ended: async what => bounds.ended(what),
    kill: () => kill(id()),
    end: () => bounds.end(),
  };
}

/**
 * Kills all processes of a browser. `id`: id of the first process. It leads the group of the others, and its end ends
 * their PID namespace.
 */
async function kill(id: number): Promise<void> {
  const started = startTicks(id);
  if (started === undefined) return;
  try {
    process.kill(-id, 'SIGKILL');
  } catch {
    return; // it has ended
  }
  await until(() => (isAlive({ pid: id, startTicks: started }) ? undefined : true), killMs, 'the browser to be killed');
}
