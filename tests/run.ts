/**
 * All tests, in the order that fails fastest: format, lint, types, then everything that needs no machine, then real
 * programs whose results do not hang on how long they take (process), then end to end, one at a time.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { constants as system } from 'node:os';
import { join } from 'node:path';
import { makeFolder } from '../core/folders.ts';
import { giveBack } from '../core/ownership.ts';
import { cacheFolder, projectRoot as root } from '../core/paths.ts';
import { asksForHelp } from '../harness/cli/arguments.ts';

const quick = ['unit', 'sim', 'contract', 'golden', 'fuzz'];
const known = ['lint', 'types', ...quick, 'process', 'e2e', 'long', 'kernels'];
const usage = `npm test                 all but the last two, many minutes; tests end to end need root and two free cores
npm test -- unit sim     only these of ${known.join(', ')}
npm test -- contract sim --test-name-pattern=my-control
                         only tests whose name has that text; every word with -- is an option of "node --test"
npm run test:long        tests/long, file by file: hours; "npm run test:long -- verify lab" runs only these files
npm run test:kernels     the shaper inside another kernel: about 15 minutes
`;
if (asksForHelp(process.argv.slice(2))) {
  process.stdout.write(usage);
  process.exit(0);
}
/** Hundreds of test files load the same modules: what Node has compiled of them is kept. */
const compiled = join(cacheFolder, 'compiled');
const environment = { ...process.env, NODE_COMPILE_CACHE: compiled };
const wanted = process.argv.slice(2).filter(word => !word.startsWith('-'));
const flags = process.argv.slice(2).filter(word => word.startsWith('-'));

let running: ChildProcess | undefined;
let asked: NodeJS.Signals | undefined;
// the end is waited for, so that what root has written is given back; Ctrl-C reaches the program by itself
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(name, () => {
    asked = name;
    if (name !== 'SIGINT') running?.kill(name);
  });

/** False where it failed, which it says. Ends everything where that was asked for meanwhile. */
async function attempt(name: string, file: string, args: string[], timeoutMs: number): Promise<boolean> {
  process.stdout.write(`\n== ${name}\n`);
  running = spawn(file, args, {
    cwd: root,
    env: environment,
    stdio: 'inherit',
    timeout: timeoutMs,
    killSignal: 'SIGINT', // then the test runner says which file does not end
  });
  const [status, signal] = (await once(running, 'close')) as [number | null, NodeJS.Signals | null];
  if (status !== 0) process.stdout.write(`\n== ${name} failed${signal === null ? '' : ` (${signal})`}\n`);
  if (asked !== undefined) process.exit(128 + system.signals[asked]);
  return status === 0;
}

/** Ends everything where it failed. */
async function step(name: string, file: string, args: string[], timeoutMs = 600_000): Promise<void> {
  if (!(await attempt(name, file, args, timeoutMs))) process.exit(1);
}

async function runTests(folders: string[], concurrency: number, timeoutMs = 300_000): Promise<void> {
  const files = folders.flatMap(folder => globSync(`tests/${folder}/**/*.test.ts`, { cwd: root })).sort();
  const name = `${folders.join(', ')} (${files.length} files)`;
  if (files.length > 0 && !(await runFiles(name, files, concurrency, timeoutMs))) process.exit(1);
}

function runFiles(name: string, files: readonly string[], concurrency: number, timeoutMs: number): Promise<boolean> {
  return attempt(
    name,
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      '--test',
      `--test-concurrency=${concurrency}`,
      `--test-timeout=${timeoutMs}`,
      ...flags,
      ...files,
    ],
    8 * timeoutMs, // that of a test does not end a file whose processes go on
  );
}

/** One file after the other, each with the time limit of a step for itself; all of them, whichever fails. */
async function runLong(files: readonly string[]): Promise<void> {
  const failed: string[] = [];
  for (const file of files)
    if (!(await runFiles(`long/${file}`, [`tests/long/${file}`], 1, 300_000))) failed.push(file);
  if (failed.length === 0) return;
  process.stdout.write(`\n${failed.length} of ${files.length} files of tests/long failed: ${failed.join(', ')}\n`);
  process.exit(1);
}

const started = Date.now();
const chosen = (folders: string[]) => folders.filter(folder => wanted.length === 0 || wanted.includes(folder));
const longFiles = globSync('*.test.ts', { cwd: `${root}tests/long` }).sort();
/** Files of tests/long that were named. */
const named = wanted.includes('long') ? longFiles.filter(file => wanted.includes(file.replace('.test.ts', ''))) : [];
const unknown = wanted.filter(word => !known.includes(word) && !named.includes(`${word}.test.ts`));
if (unknown.length > 0) {
  process.stderr.write(`there are no tests in tests/${unknown[0]}; known: ${known.join(', ')}\n`);
  process.exit(1);
}
makeFolder(compiled);
process.on('exit', () => giveBack(compiled)); // under sudo what the tests have written there is root's
if (wanted.length === 0 || wanted.includes('lint')) {
  await step('format', process.execPath, [`${root}harness/setup/format.mjs`, '--check']);
  await step('lint', `${root}node_modules/.bin/biome`, ['lint', '--error-on-warnings', '.']);
}
if (wanted.length === 0 || wanted.includes('types')) {
  await step('types', `${root}node_modules/.bin/tsc`, ['-p', '.']);
  await step('types of the pages', `${root}node_modules/.bin/tsc`, ['-p', 'client']);
}
await runTests(chosen(quick), 3); // a third of them waits most of its time
await runTests(chosen(['process']), 3);
await runTests(chosen(['e2e']), 1); // each of these wants the machine for itself
if (wanted.includes('long')) await runLong(named.length > 0 ? named : longFiles);
if (wanted.includes('kernels')) await runTests(['kernels'], 1, 3_600_000);
process.stdout.write(`\nall tests passed in ${Math.round((Date.now() - started) / 1000)} s\n`);
