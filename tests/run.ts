/**
 * All tests: format, lint, types and everything whose result does not hang on how long it takes, beside each other; then
 * end to end, one file at a time. Runs to the end whatever fails, and ends with one table.
 */
import { readFileSync } from 'node:fs';
import { constants as system } from 'node:os';
import { join } from 'node:path';
import { makeFolder } from '../core/system/folders.ts';
import { giveBack } from '../core/system/ownership.ts';
import { cacheFolder } from '../core/system/paths.ts';
import { asksForHelp } from '../harness/cli/arguments.ts';
import { batchesOf } from './runner/batches.ts';
import { type Job, type JobContext, type JobResult, runJob } from './runner/job.ts';
import { removeLeftovers } from './runner/leftovers.ts';
import { concurrencyOf } from './runner/parts.ts';
import { PassedFiles } from './runner/passed.ts';
import { inPool } from './runner/pool.ts';
import { cpuSecondsOf } from './runner/processor-time.ts';
import { BadRequest, type Request, requestOf } from './runner/request.ts';
import type { FileResult } from './runner/results.ts';
import { allOf, tableOf } from './runner/table.ts';
import { runTool, type Tool, toolsOf } from './runner/tool.ts';
import { Tree } from './runner/tree.ts';

const usage = `npm test                 all but long and kernels, many minutes; tests end to end need root and two free cores. Files
                         are left out that have passed, if nothing has changed since that they looked at
npm test -- --all        these, too, as where CI is set
npm test -- unit sim     only these of lint, types, unit, sim, contract, golden, fuzz, process, e2e, long, kernels
npm test -- tests/unit/core/text/units.test.ts
                         only these files
npm test -- contract sim --test-name-pattern=my-control
                         only tests whose name has that text, of files that have it; every word with -- is an option of
                         "node --test"
npm test -- unit --shard=1/4
                         every fourth file, from the first on
npm run test:long        tests/long, file by file: hours; "npm run test:long -- verify lab" runs only these files
npm run test:kernels     the shaper inside another kernel: about 15 minutes
`;
if (asksForHelp(process.argv.slice(2))) {
  process.stdout.write(usage);
  process.exit(0);
}

const say = (text: string) => void process.stdout.write(`${text}\n`);
/** Hundreds of test files load the same modules: what Node has compiled of them is kept. */
const compiled = join(cacheFolder, 'compiled');
const stop = new AbortController();
let asked: NodeJS.Signals | undefined;
// ends the jobs, then reports what has run
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(name, () => {
    asked = name;
    stop.abort(new Error(name));
  });

type Done = JobResult & { part: string };

function sayFile({ file, passed, failures, skipped, diagnostics, ms }: FileResult): void {
  const counts = [`${passed} passed`, `${failures.length} failed`, `${skipped.length} skipped`];
  const shown = counts.filter((count, i) => i === 0 || !count.startsWith('0 ')).join(', ');
  say(`${failures.length === 0 ? '✔' : '✖'} ${file} (${shown}, ${(ms / 1000).toFixed(1)} s)`);
  for (const text of diagnostics) say(`  ℹ ${text}`);
  for (const { name, error } of failures) say(`  ✖ ${name}\n${error.replace(/^/gm, '    ')}`);
}

/** Undefined where this is no checkout, or only a part of the tests of a file is asked for. */
function passedFiles({ flags }: Request): PassedFiles | undefined {
  const tree = flags.length === 0 ? Tree.ofCheckout() : undefined;
  return tree === undefined ? undefined : new PassedFiles(tree);
}

/** The request without files that are unchanged since they passed, which it counts. */
function changed(whole: Request, passed: PassedFiles | undefined): Request {
  if (passed === undefined || whole.isWhole || (process.env['CI'] ?? '') !== '') return whole;
  const isDue = (file: string) => whole.named.has(file) || !passed.has(file);
  const files = whole.files.map(({ part, files: own }) => ({
    part,
    files: part.isExtra === true ? own : own.filter(isDue),
  }));
  const count = (all: Request['files']) => all.reduce((sum, { files: own }) => sum + own.length, 0);
  const left = count(whole.files) - count(files);
  if (left > 0) say(`${left} files unchanged since they passed: left out ("npm test -- --all" runs them, too)`);
  return { ...whole, files };
}

/** Only the results of whole files count: all passed, none skipped. */
function note(passed: PassedFiles | undefined, { files, followed }: JobResult): void {
  for (const { file, failures, skipped } of files)
    passed?.set(file, failures.length + skipped.length === 0 ? followed : undefined);
}

async function runAll({ tools, files, flags }: Request, passed: PassedFiles | undefined): Promise<Done[]> {
  const context: JobContext = {
    environment: { ...process.env, NODE_COMPILE_CACHE: compiled },
    flags,
    say,
    signal: stop.signal,
  };
  const work = async (one: Job | Tool): Promise<Done> => {
    const isTool = 'argv' in one;
    const result = isTool ? await runTool(one, context) : await runJob(one, context);
    for (const file of result.files) sayFile(file);
    if (!isTool) note(passed, result);
    return { ...result, part: one.part };
  };
  const done: Done[] = [];
  for (const lane of ['together', 'alone'] as const) {
    const jobs = files
      .filter(({ part }) => part.lane === lane)
      .flatMap(({ part: { id, limits }, files: own }) =>
        batchesOf(own).map((batch): Job => ({ part: id, files: batch, limits })),
      );
    const first = lane === 'together' ? tools.flatMap(toolsOf) : [];
    done.push(...(await inPool([...first, ...jobs], concurrencyOf(lane), stop.signal, work)));
    passed?.save();
  }
  return done;
}

/** The table, then what failed and what was skipped, then counts as Node's own reporter writes them. */
function sayEnd(done: readonly Done[], seconds: number): number {
  const ids = [...new Set(done.map(({ part }) => part))];
  const rows = ids.map(part => {
    const own = done.filter(one => one.part === part);
    const files = own.flatMap(one => one.files);
    const cpu = own.map(one => one.cpuSeconds);
    return {
      part,
      files: files.length,
      passed: files.reduce((sum, { passed }) => sum + passed, 0),
      failed: files.reduce((sum, { failures }) => sum + failures.length, 0),
      skipped: files.reduce((sum, { skipped }) => sum + skipped.length, 0),
      seconds: own.reduce((sum, one) => sum + one.seconds, 0),
      cpuSeconds: cpu.includes(undefined) ? undefined : cpu.reduce((sum: number, one) => sum + one!, 0),
    };
  });
  const files = done.flatMap(one => one.files);
  say('');
  for (const { file, skipped } of files) for (const { name, why } of skipped) say(`skipped: ${file}: ${name}: ${why}`);
  for (const { file, failures } of files) for (const { name } of failures) say(`failed: ${file}: ${name}`);
  say('');
  const all = allOf(rows, seconds, cpuSecondsOf(readFileSync('/proc/self/stat', 'utf8')));
  for (const line of tableOf([...rows, all])) say(line);
  const { passed, failed, skipped } = all;
  say(`\nℹ tests ${passed + failed + skipped}\nℹ pass ${passed}\nℹ fail ${failed}\nℹ skipped ${skipped}`);
  return failed;
}

let request: Request;
try {
  request = requestOf(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof BadRequest)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
if (request.files.length + request.tools.length === 0) {
  process.stderr.write('no test file has that text\n');
  process.exit(1);
}
const started = performance.now();
const left = removeLeftovers();
if (left.length > 0) say(`removed what tests that were killed had left: ${left.join(', ')}`);
makeFolder(compiled);
process.on('exit', () => giveBack(compiled)); // under sudo what the tests have written there is root's
const passed = passedFiles(request);
const failed = sayEnd(await runAll(changed(request, passed), passed), (performance.now() - started) / 1000);
if (asked !== undefined) process.exit(128 + system.signals[asked]);
if (failed > 0) {
  say(`\n${failed} failed`);
  process.exitCode = 1;
} else say(`\nall tests passed in ${Math.round((performance.now() - started) / 1000)} s`);
