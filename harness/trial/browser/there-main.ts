/**
 * Program that runs on another machine and starts a browser there, with the same sandbox and limits as on this machine
 * (confine.ts, bounds.ts). Its first line has the browser's confinement as JSON. After that, its standard input and
 * output are the browser's pipe. Its last line has the reason for the browser's end.
 */
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type CoexistError, messageOf } from '../../../core/errors.ts';
import { isOverdue } from '../../../core/system/deadline.ts';
import { localHost } from '../../../core/system/local-host.ts';
import { Bounds, plainEnd } from './bounds.ts';
import { browserCommand } from './browser-command.ts';
import { noSandbox } from './confinement.ts';
import { lastWordsPrefix } from './last-words.ts';
import type { ThereConfig } from './there.ts';

const { options, limits, words } = JSON.parse(process.argv[2]!) as ThereConfig;
// a subfolder of the agent's folder is removed with that folder
const directory = join(process.env['COEXIST_FOLDER']!, `browser-${process.pid}`);

try {
  mkdirSync(directory, { mode: 0o700 });
  const { command, environment, confinement } = await browserCommand({ ...options, headed: false }, directory);
  const bounds = await Bounds.make(limits, directory, options.isTrusted);
  const own = confinement.isConfined ? '/tmp/profile' : join(directory, 'profile');
  const switches = [
    // Playwright's folder is on the machine of Playwright, not here
    ...words.filter(word => !word.startsWith('--user-data-dir=')),
    `--user-data-dir=${own}`,
    ...(confinement.hasChromiumSandbox ? [] : [noSandbox]),
  ];
  const [file, ...rest] = localHost.command([...bounds.command(command), ...switches]);
  const browser = spawn(file!, rest, {
    stdio: ['ignore', 'ignore', 'inherit', 'pipe', 'pipe'],
    env: environment, // in this program's session, by which the harness finds it
  });
  const [, , , input, output] = browser.stdio;
  process.stdout.write(`${JSON.stringify({ ...confinement, limits: bounds.kind })}\n`);
  process.stdin.pipe(input as NodeJS.WritableStream);
  (output as NodeJS.ReadableStream).pipe(process.stdout);
  for (const pipe of [input!, output!]) pipe.on('error', () => {}); // the browser's end is reported
  const kill = () => browser.kill('SIGKILL');
  let excess: CoexistError | undefined;
  bounds.watch(browser.pid ?? 0, error => {
    excess = error;
    kill();
  });
  process.on('SIGTERM', kill);
  process.stdin.on('end', () => setTimeout(kill, 1000).unref()); // usually it has ended when its pipe closed
  await new Promise(resolve => browser.once('error', resolve).once('close', resolve));
  process.stderr.write(`\n${lastWordsPrefix}${(excess ?? bounds.ended(plainEnd)).message}\n`);
  await bounds.end();
} catch (error) {
  process.stderr.write(`\n${lastWordsPrefix}${isOverdue(error) ? 'its sandbox took too long' : messageOf(error)}\n`);
  process.exitCode = 1;
}
process.stdin.destroy();
