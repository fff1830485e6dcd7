/**
 * What a trial of the flagship study costs: processor time of each part at 720p60, without a flood and beside one, and
 * how long frames take to encode and to be captured.
 *
 *   npm run bench:trial [-- REPEATS [SECONDS]]
 *
 * Trials without and with a flood alternate, 4 of each with windows of 15 s where not said otherwise; those that the
 * machine disturbed count, because their cost is sought. Each part stands beside its budget (tests/bench/trial/parts.ts)
 * in % of one core, median [range]. "x264 alone" is the same clip encoded at the same rate by a program that does
 * nothing else. The exit status is 3 if the sum or the encode times miss their budget.
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { CoexistError } from '../../core/errors.ts';
import { ascending, median, quantile } from '../../core/stats/quantile.ts';
import { run } from '../../core/system/command.ts';
import { LineSplitter } from '../../core/system/jsonl.ts';
import { defineExperiment } from '../../harness/definition/define.ts';
import type { TrialRecord } from '../../harness/record/trial-record.ts';
import { clipPath } from '../../harness/services/clips.ts';
import flagship from '../../harness/studies/experiment/shipped/bbr-flood.ts';
import { runBench } from './support/bench.ts';
import { withStudy } from './support/run-study.ts';
import { costsBetween, type TrialCost, trialTimes } from './trial/costs.ts';
import type { EncoderCost } from './trial/encoder-alone.ts';
import { budgets, partNames, type Situation, sumBudgets } from './trial/parts.ts';
import type { CpuLine } from './trial/sampler.ts';

const [repeats, seconds] = [Number(process.argv[2] ?? 4), Number(process.argv[3] ?? 15)];
const encodeP99Ms = 1000 / 60;
const aloneSeconds = 8;

const definition = defineExperiment({
  ...flagship,
  conditions: { baseline: flagship.conditions!['baseline']!, wired: flagship.conditions!['wired']! },
  run: { window: `${seconds}s`, startUp: '3s', repeats, retries: 0, seed: 1 },
});

const percent = (value: number) => (value * 100).toFixed(1);

/** Median and range; a dash where nothing was measured. */
function shown(values: readonly number[], format: (value: number) => string): string {
  const sorted = ascending(values);
  if (sorted.length === 0) return '-';
  return `${format(median(sorted)!)} [${format(sorted[0]!)}, ${format(sorted.at(-1)!)}]`;
}

const wordsOf = (name: string, ...words: string[]) => [
  '--disable-warning=ExperimentalWarning',
  fileURLToPath(new URL(`trial/${name}`, import.meta.url)),
  ...words,
];

function startSampler(): { lines: CpuLine[]; stop(): void } {
  const lines: CpuLine[] = [];
  const child = spawn(process.execPath, wordsOf('sampler.ts', `${process.pid}`), {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const splitter = new LineSplitter(line => lines.push(JSON.parse(line) as CpuLine));
  child.stdout.setEncoding('utf8').on('data', (text: string) => splitter.push(text));
  return { lines, stop: () => child.stdin.end() };
}

async function encoderAlone(rateBps: number, threads: number): Promise<EncoderCost> {
  const words = [clipPath('high-motion'), `${Math.round(rateBps)}`, `${threads}`, `${aloneSeconds}`];
  const { stdout } = await run([process.execPath, ...wordsOf('encoder-alone.ts', ...words)], { timeoutMs: 120_000 });
  return JSON.parse(stdout) as EncoderCost;
}

const quantiles = (values: readonly number[]) =>
  [0.5, 0.9, 0.99, 1].map(p => `${quantile(values, p)!.toFixed(1)} ms`).join(', ');

/** Prints the rows of one situation; true where the sum and the encode times keep their budgets. */
function printed(title: string, situation: Situation, trials: readonly TrialCost[], alone: EncoderCost): boolean {
  const say = (line: string) => process.stdout.write(`${line}\n`);
  const each = (value: (trial: TrialCost) => number, format: (value: number) => string) =>
    shown(trials.map(value), format);
  const sumCores = median(trials.map(trial => trial.sumCores))!;
  const encodeMs = trials.flatMap(trial => trial.encodeMs);

  say(`${title}, n = ${trials.length} (${trials.filter(({ isVoid }) => isVoid).length} of them void)`);
  say('part | budget, % of a core | measured');
  for (const part of partNames) {
    const budget = budgets[part];
    const allowed = budget === null ? 'not in the sum' : percent(budget[situation]);
    say(`${part} | ${allowed} | ${each(({ cores }) => cores[part] ?? 0, percent)}`);
  }
  say(`sum | ${percent(sumBudgets[situation])} | ${each(trial => trial.sumCores, percent)}`);
  say(`x264 alone | - | ${percent(alone.cores)}; the sum is ${(sumCores / alone.cores).toFixed(2)} times that`);
  const rest = each(({ restCores }) => restCores, percent);
  say(`programs of less than a second, interrupts | not in the sum | ${rest}`);
  say(`encode time, p50, p90, p99, longest | p99 ${encodeP99Ms.toFixed(1)} ms | ${quantiles(encodeMs)}`);
  say(`encode time of x264 alone | - | ${quantiles(alone.encodeMs)}`);
  say(`lateness of captures, p50, p90, p99, longest | - | ${quantiles(trials.flatMap(({ lateMs }) => lateMs))}`);
  say(
    `frames presented a second | - | ${each(
      ({ presentedFps }) => presentedFps,
      fps => fps.toFixed(1),
    )}`,
  );
  say(
    `media, Mbit/s | - | ${each(
      ({ mediaBps }) => mediaBps,
      bps => (bps / 1e6).toFixed(2),
    )}\n`,
  );
  return sumCores <= sumBudgets[situation] && quantile(encodeMs, 0.99)! <= encodeP99Ms;
}

/** Nothing where it did not come to its window, or is shorter than two readings. */
async function costOf(record: TrialRecord, lines: readonly CpuLine[]): Promise<TrialCost[]> {
  if (record.file.phases === null) return [];
  const cost = costsBetween(lines, record.window);
  return cost === null ? [] : [{ ...cost, ...(await trialTimes(record)) }];
}

await runBench(async () => {
  const sampler = startSampler();
  try {
    return await withStudy('bench-trial', definition, async folder => {
      const records = folder.trialNames({ voided: true }).map(name => folder.record(name));
      const trialsOf = async (condition: string) => {
        const own = records.filter(({ file }) => file.condition.id === condition);
        return (await Promise.all(own.map(record => costOf(record, sampler.lines)))).flat();
      };
      const [baseline, wired] = [await trialsOf('baseline'), await trialsOf('wired')];
      if (baseline.length === 0 || wired.length === 0)
        throw new CoexistError('trials-failed', 'no trial came to its window: there is no figure');
      const rateBps = median(baseline.map(({ encoderBps }) => encoderBps))!;
      const alone = await encoderAlone(rateBps, baseline[0]!.threads);
      const isKept = [
        printed('Without a flood', 'alone', baseline, alone),
        printed('Beside a BBRv3 flood', 'flood', wired, alone),
      ];
      return isKept.every(Boolean);
    });
  } finally {
    sampler.stop();
  }
});
