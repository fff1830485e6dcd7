/**
 * How Playwright reaches a browser on a host: a program on this machine with the browser's DevTools pipe. The program
 * is the browser itself, or it forwards the pipe to another machine.
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

/** With what keeps the browser to its limits. */
export type BrowserConfinement = Confinement & { limits: Bounds['kind'] };

export type Entrance = {
  /** Path of the program, which takes the browser's switches. */
  program: string;
  environment: Record<string, string>;
  /** Whether to leave Chromium's own sandbox on. */
  hasChromiumSandbox: boolean;
  /** Of the browser that has started. */
  confinement(): BrowserConfinement;
  /** From now on `onExcess` is called, once, when the browser takes too much. */
  watch(onExcess: (error: CoexistError) => void): void;
  /** The error for a browser that ended by itself; `what` it did, in words. */
  ended(what: string): Promise<CoexistError>;
  /** Ends a browser that does not close. Throws `timed-out`. */
  kill(): Promise<void>;
  /** Ends what is left once the browser is closed. */
  end(): Promise<void>;
};

export type EntranceOptions = BrowserCommandOptions & {
  limits: UseLimits;
  /** File for what the browser says of itself. */
  log?: string;
};

const killMs = 5000;

/** A program that becomes the browser. `directory`: of the browser's own files, which nobody else writes to. */
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
  /** Of its first process. */
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

/** With all its processes: the first, whose group they are in, or whose PID namespace ends with it. */
async function kill(id: number): Promise<void> {
  const started = startTicks(id);
  if (started === undefined) return;
  try {
    process.kill(-id, 'SIGKILL');
  } catch {
    return; // it ended by itself
  }
  await until(() => (isAlive({ pid: id, startTicks: started }) ? undefined : true), killMs, 'the browser to be killed');
}
