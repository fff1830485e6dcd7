/**
 * All tests, in the order that fails fastest: format, lint, types, then everything that needs no machine, then real
 * programs whose results do not hang on how long they take (process), then end to end, one at a time.
 */
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { asksForHelp } from '../harness/cli/arguments.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
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
const environment = { ...process.env, NODE_COMPILE_CACHE: `${root}node_modules/.cache/compiled` };
const wanted = process.argv.slice(2).filter(word => !word.startsWith('-'));
const flags = process.argv.slice(2).filter(word => word.startsWith('-'));

/** False where it failed, which it says. */
function attempt(name: string, file: string, args: string[], timeoutMs: number): boolean {
  process.stdout.write(`\n== ${name}\n`);
  const { status, signal } = spawnSync(file, args, {
    cwd: root,
    env: environment,
    stdio: 'inherit',
    timeout: timeoutMs,
    killSignal: 'SIGINT', // then the test runner says which file does not end
  });
  if (status !== 0) process.stdout.write(`\n== ${name} failed${signal === null ? '' : ` (${signal})`}\n`);
  return status === 0;
}

/** Ends everything where it failed. */
function step(name: string, file: string, args: string[], timeoutMs = 600_000): void {
  if (!attempt(name, file, args, timeoutMs)) process.exit(1);
}

function runTests(folders: string[], concurrency: number, timeoutMs = 300_000): void {
  const files = folders.flatMap(folder => globSync(`tests/${folder}/**/*.test.ts`, { cwd: root })).sort();
  const name = `${folders.join(', ')} (${files.length} files)`;
  if (files.length > 0 && !runFiles(name, files, concurrency, timeoutMs)) process.exit(1);
}

function runFiles(name: string, files: readonly string[], concurrency: number, timeoutMs: number): boolean {
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
function runLong(files: readonly string[]): void {
  const failed = files.filter(file => !runFiles(`long/${file}`, [`tests/long/${file}`], 1, 300_000));
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
if (wanted.length === 0 || wanted.includes('lint')) {
  step('format', process.execPath, [`${root}harness/setup/format.mjs`, '--check']);
  step('lint', `${root}node_modules/.bin/biome`, ['lint', '--error-on-warnings', '.']);
}
if (wanted.length === 0 || wanted.includes('types')) {
  step('types', `${root}node_modules/.bin/tsc`, ['-p', '.']);
  step('types of the pages', `${root}node_modules/.bin/tsc`, ['-p', 'client']);
}
runTests(chosen(quick), 2);
runTests(chosen(['process']), 2);
runTests(chosen(['e2e']), 1); // each of these wants the machine for itself
if (wanted.includes('long')) runLong(named.length > 0 ? named : longFiles);
if (wanted.includes('kernels')) runTests(['kernels'], 1, 3_600_000);
process.stdout.write(`\nall tests passed in ${Math.round((Date.now() - started) / 1000)} s\n`);
