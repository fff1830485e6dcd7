/**
 * Runs `npx coexist COMMAND [OPTIONS]` in any directory. The package contains a whole checkout, because Node runs no
 * TypeScript below node_modules and set-up builds native programs in the source tree. The checkout is copied to the
 * user's cache once for each build of the package, and runs there as usual. Paths on the command line are relative to
 * the directory of the user.
 */
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// the program continues if the reader of its output ends; copied from harness/setup/closed-output.mjs, which cannot be
// imported here
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

/** Root folder of the package, in which this file is bin/coexist.mjs. */
const own = dirname(dirname(fileURLToPath(import.meta.url)));
const { version, build } = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8'));
const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'coexist');
const home = join(cache, `${version}-${build}`);

/**
 * Copies the checkout if the cache does not have it. If two processes start at once, both make a copy and one copy
 * stays.
 */
function copyOnce() {
  if (existsSync(home)) return;
  mkdirSync(cache, { recursive: true });
  const partial = mkdtempSync(join(cache, 'partial-'));
  try {
    cpSync(join(own, 'checkout'), partial, { recursive: true });
    // npm puts no file named package-lock.json into a package
    renameSync(join(partial, 'locked-packages.json'), join(partial, 'package-lock.json'));
    renameSync(partial, home);
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    if (!existsSync(home)) throw error;
  }
}

try {
  copyOnce();
} catch (error) {
  process.stderr.write(
    `coexist could not copy itself to ${home}: ${error.message}\n  -> set XDG_CACHE_HOME to a folder that may be written\n`,
  );
  process.exit(2);
}
const child = spawn(process.execPath, [join(home, 'harness/setup/run.mjs'), ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...process.env, COEXIST_DIRECTORY: process.cwd() },
});
process.on('SIGINT', () => {}); // the terminal sends Ctrl-C to the child as well
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.once('error', error => {
  process.stderr.write(`coexist could not start: ${error.message}\n`);
  process.exitCode = 2;
});
child.once('close', (status, signal) => {
  process.exitCode = signal === null ? status : 128 + (signal === 'SIGINT' ? 2 : 15);
});
