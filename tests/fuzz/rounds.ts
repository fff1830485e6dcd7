/**
 * `npm run test:fuzz -- [--minutes N] [--from ROUND] [--times N]`: the tests of this folder, again and again with other inputs, until
 * the time is over, or one fails, whose round can be asked for again. Ends with the inputs of each, and of all.
 */
import { spawn } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CoexistError } from '../../core/errors.ts';
import { nowMs } from '../../core/system/clock.ts';
import { wholeNumber } from '../../core/text/whole-number.ts';
import { parseArguments } from '../../harness/cli/arguments.ts';
import { runBench } from '../bench/support/bench.ts';
import { describeTally, nextTimes } from './tally.ts';

const usage = 'npm run test:fuzz -- [--minutes N] [--from ROUND] [--times N]';
const root = fileURLToPath(new URL('../../', import.meta.url));
/** One file's round takes seconds; one that hangs has found something. */
const longestMs = 10 * 60e3;

type Round = { file: string; passed: boolean; inputs: number; output: string; ms: number };

/** One round of one file, with so many times the inputs of `npm test`. */
async function runFile(file: string, round: number, times: number, folder: string): Promise<Round> {
  const startMs = nowMs();
  const count = join(folder, `${basename(file)}-${round}`);
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', file], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: longestMs,
    killSignal: 'SIGKILL',
    env: {
      ...process.env,
      COEXIST_FUZZ_ROUND: String(round),
      COEXIST_FUZZ_TIMES: String(times),
      COEXIST_FUZZ_COUNT: count,
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const passed = await new Promise<boolean>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status, signal) => {
      if (signal !== null) output += `it was ended by ${signal} after ${Math.round((nowMs() - startMs) / 1000)} s\n`;
      resolve(status === 0);
    });
  });
  const inputs = passed
    ? readFileSync(count, 'utf8')
        .split('\n')
        .reduce((sum, line) => sum + Number(line), 0)
    : 0;
  return { file, passed, inputs, output, ms: nowMs() - startMs };
}

await runBench(async () => {
  const { values } = parseArguments(
    process.argv.slice(2),
    { minutes: { type: 'string' }, from: { type: 'string' }, times: { type: 'string' } },
    usage,
  );
  const minutes = Number(values.minutes ?? 10);
  if (!(minutes > 0))
    throw new CoexistError('usage', `--minutes ${values.minutes}: it must be above 0`, { hint: usage });
  const startMs = nowMs();
  let round = values.from === undefined ? 1 : wholeNumber(values.from, 'from', 1);
  const fixedTimes = values.times === undefined ? undefined : wholeNumber(values.times, 'times', 1);
  const files = globSync('tests/fuzz/*.test.ts', { cwd: root }).sort();
  const folder = mkdtempSync(join(tmpdir(), 'coexist-fuzz-'));
  const inputs = new Map(files.map(file => [file, 0]));
  const timesOf = new Map(files.map(file => [file, fixedTimes ?? 1]));
  const endMs = startMs + minutes * 60e3;
  const waiting: { file: string; round: number }[] = [];
  let failed: Round | undefined;
  const next = () => {
    if (failed !== undefined || nowMs() >= endMs) return undefined;
    if (waiting.length === 0) {
      waiting.push(...files.map(file => ({ file, round })));
      round++;
    }
    return waiting.shift();
  };
  const work = async () => {
    for (let one = next(); one !== undefined; one = next()) {
      const times = timesOf.get(one.file)!;
      const result = await runFile(one.file, one.round, times, folder);
      timesOf.set(one.file, fixedTimes ?? nextTimes(times, result.ms));
      inputs.set(one.file, inputs.get(one.file)! + result.inputs);
      if (!result.passed && failed === undefined) {
        failed = result;
        process.stdout.write(`${result.output}\n${one.file} failed: --from ${one.round} --times ${times}\n`);
      }
    }
  };
  try {
    await Promise.all(Array.from({ length: availableParallelism() }, work));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  process.stdout.write(describeTally(inputs, { ms: nowMs() - startMs, hasFailed: failed !== undefined }));
  return failed === undefined;
});
