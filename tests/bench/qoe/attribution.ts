/** Faults put into real trials: how many of the stalls that they make are put down to them. */

import { seededRandom } from '../../../core/random.ts';
import { nowMs } from '../../../core/system/clock.ts';
import { sleepUntil } from '../../../core/system/deadline.ts';
import { attributedStalls } from '../../../harness/analysis/derive/attribution/attribute.ts';
import { defineExperiment, type ExperimentDefinition } from '../../../harness/definition/define.ts';
import {
  type ByHand,
  type ByLink,
  everyMs,
  type Injection,
  injections,
  injectionTimes,
  perTrial,
} from './injections.ts';
import { isKept, linesOf, type Outcome, type Span, type Tally, tallyOf, totalLine } from './tally.ts';
import { Testbed } from './testbed.ts';

/** Injections come up to this much later than their time, so that no rhythm of the trial is met, ms. */
const jitterMs = 700;

const definitionOf = ({ link, controller }: Injection): ExperimentDefinition =>
  defineExperiment({
    title: 'Faults and causes',
    question: 'Is each stall put down to what made it?',
    source: 'own',
    link: { rate: '20mbit', queue: { limit: '1000ms' }, rtt: '20ms', ...link },
    service: {
      id: 'live-clip',
      width: 640,
      height: 360,
      frameRate: 30,
      clipLength: '4s',
      maxBitrate: '2mbit',
      startBitrate: '2mbit',
      controller: controller ?? { id: 'gcc' },
    },
    flood: { id: 'none' },
    run: { window: `${(perTrial * everyMs + 1000) / 1000}s`, preflight: false },
  });

/** One trial in which the link does it by itself. */
async function byLink(testbed: Testbed, injection: Injection, { spansOf }: ByLink, seed: number): Promise<Outcome> {
  const { record } = await testbed.run(definitionOf(injection), seed, () => Promise.resolve());
  return { spans: await spansOf(record), stalls: await attributedStalls(record) };
}

/** One trial with its injections, at moments that follow the seed. */
async function byHand(testbed: Testbed, injection: Injection, { prepare }: ByHand, seed: number): Promise<Outcome> {
  const random = seededRandom(seed);
  const { inject, remove } = await prepare(testbed);
  try {
    const { record, done } = await testbed.run(definitionOf(injection), seed, async windowStartMs => {
      const spans: Span[] = [];
      for (const at of injectionTimes) {
        await sleepUntil(windowStartMs + at + random.next() * jitterMs);
        const fromMs = nowMs();
        await inject();
        spans.push({ fromMs, toMs: nowMs() });
      }
      return spans;
    });
    return { spans: done, stalls: await attributedStalls(record) };
  } finally {
    await remove?.();
  }
}

/** Prints a line for each kind of fault; whether of each enough stalls were put down rightly. */
export async function runInjections(repeats: number, wanted: string): Promise<boolean> {
  process.stdout.write('injected | to be put down to | made a stall | put down rightly | otherwise | limit\n');
  const tallies: Tally[] = [];
  const testbed = await Testbed.build();
  try {
    for (const injection of injections.filter(({ what }) => what.includes(wanted))) {
      const tally = await runInjection(testbed, injection, repeats);
      process.stdout.write(`${linesOf(tally).join('\n')}\n`);
      tallies.push(tally);
    }
  } finally {
    await testbed.remove();
  }
  process.stdout.write(`${totalLine(tallies)}\n`);
  return tallies.every(isKept);
}

async function runInjection(testbed: Testbed, injection: Injection, repeats: number): Promise<Tally> {
  const trials: Outcome[] = [];
  for (let repeat = 1; repeat <= repeats; repeat++) {
    trials.push(
      'prepare' in injection.how
        ? await byHand(testbed, injection, injection.how, repeat)
        : await byLink(testbed, injection, injection.how, repeat),
    );
  }
  return tallyOf(injection.what, injection.expected, trials);
}
