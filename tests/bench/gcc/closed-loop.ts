/** The closed loop: the study `gcc-and-chromium`, its medians and their ratios. */
import definition from '../../../harness/experiments/gcc-and-chromium.ts';
import { finishRun } from '../../../harness/cli/finish.ts';
import type { Summary, SummaryValue } from '../../../harness/summary/summary.ts';
import { withStudy } from '../support/run-study.ts';

/** Most that our median rate may differ from Chromium's, as a share of it. */
const apart = { alone: 0.15, beside: 0.3 };
/** Of a link that the stream has for itself. */
const leastUtilisation = 0.85;
const mostQueueMs = 100;

type Row = { words: string; passed: boolean };

const mbps = ({ value, low, high }: SummaryValue) => `${(value! / 1e6).toFixed(2)} [${(low! / 1e6).toFixed(2)}, ${(high! / 1e6).toFixed(2)}]`;

function compare(summary: Summary, name: string): Row {
  const [live, call] = (['live', 'call'] as const).map(sender => summary.conditions.find(({ id }) => id === `${sender}-${name}`)!);
  const rates = [live!, call!].map(({ metrics }) => metrics['media-goodput']!);
  if (rates.some(rate => rate.value === null)) return { words: `${name}: no trial of one of them counts`, passed: false };
  const isAlone = live!.metrics['flood-goodput']!.value === null;
  const ratio = rates[0]!.value! / rates[1]!.value!;
  const limit = isAlone ? apart.alone : apart.beside;
  const [used, callUsed] = [live!, call!].map(({ metrics }) => metrics['link-utilisation']!.value!);
  const [queueMs, callQueueMs] = [live!, call!].map(({ metrics }) => metrics['media-queue-delay-p95']!.value ?? NaN);
  const passed = Math.abs(ratio - 1) <= limit && (!isAlone || (used! >= leastUtilisation && queueMs! < mostQueueMs));
  return {
    passed,
    words: [
      live!.title.padEnd(28), `${mbps(rates[0]!)} Mbit/s, Chromium ${mbps(rates[1]!)}`, `ratio ${ratio.toFixed(2)} (limit ${1 - limit} to ${1 + limit})`,
      `link used ${(used! * 100).toFixed(0)} % / ${(callUsed! * 100).toFixed(0)} %${isAlone ? ` (limit ${leastUtilisation * 100})` : ''}`,
      `queue p95 ${queueMs!.toFixed(0)} / ${callQueueMs!.toFixed(0)} ms${isAlone ? ` (limit ${mostQueueMs})` : ''}`, `n = ${live!.trials} / ${call!.trials}`, passed ? 'ok' : 'MISSED',
    ].join('; '),
  };
}

/** Prints a line for each pair; whether all kept their limits. */
export async function runClosedLoop(repeats: number): Promise<boolean> {
  return withStudy('gcc-and-chromium', { ...definition, run: { ...definition.run, repeats, retries: 4 } }, async folder => {
    const { summary } = await finishRun(folder);
    const rows = ['1', '2', '5', 'cubic', 'bbr3'].map(name => compare(summary, name));
    process.stdout.write(`${rows.map(row => row.words).join('\n')}\n`);
    return rows.every(row => row.passed);
  });
}
