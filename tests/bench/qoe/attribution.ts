/** Faults put into real trials: how many of the stalls that they make are put down to them. */
import { nowMs } from '../../../harness/base/clock.ts';
import { sleepUntil } from '../../../harness/base/deadline.ts';
import { seededRandom } from '../../../harness/base/random.ts';
import { attributedStalls } from '../../../harness/derive/attribution/attribute.ts';
import type { AttributedGap } from '../../../harness/derive/attribution/attribute.ts';
import { defineExperiment } from '../../../harness/experiment/define.ts';
import type { ExperimentDefinition } from '../../../harness/experiment/define.ts';
import { everyMs, injectionTimes, injections, perTrial } from './injections.ts';
import type { ByHand, ByLink, Injection, Span } from './injections.ts';
import { Stage } from './stage.ts';

/** Share of the stalls that must be put down to what made them. */
const leastShare = 0.95;
/** A stall that begins this long after a fault still comes of it, ms. */
const afterMs = 500;
/** Injections come up to this much later than their time, so that no rhythm of the trial is met, ms. */
const jitterMs = 700;

const definitionOf = ({ link, controller }: Injection): ExperimentDefinition => defineExperiment({
  title: 'Faults and causes', question: 'Is each stall put down to what made it?', source: 'own',
  link: { rate: '20mbit', queue: { limit: '1000ms' }, rtt: '20ms', ...link },
  service: { id: 'live-clip', width: 640, height: 360, frameRate: 30, clipLength: '4s', maxBitrate: '2mbit', startBitrate: '2mbit', controller: controller ?? { id: 'gcc' } },
  flood: { id: 'none' },
  run: { window: `${(perTrial * everyMs + 1000) / 1000}s`, preflight: false },
});

type Outcome = { spans: Span[]; stalls: AttributedGap[] };

/** One trial in which the link does it by itself. */
async function byLink(stage: Stage, injection: Injection, { spansOf }: ByLink, seed: number): Promise<Outcome> {
  const { record } = await stage.run(definitionOf(injection), seed, () => Promise.resolve());
  return { spans: await spansOf(record), stalls: await attributedStalls(record) };
}

/** One trial with its injections, at moments that follow the seed. */
async function byHand(stage: Stage, injection: Injection, { prepare }: ByHand, seed: number): Promise<Outcome> {
  const random = seededRandom(seed);
  const { inject, remove } = await prepare(stage);
  try {
    const { record, done } = await stage.run(definitionOf(injection), seed, async windowStartMs => {
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

/** The longest stall that came of a fault. */
function stallOf({ fromMs, toMs }: Span, stalls: readonly AttributedGap[]): AttributedGap | undefined {
  return stalls.filter(stall => stall.startMs < toMs + afterMs && stall.endMs > fromMs).sort((a, b) => b.lengthMs - a.lengthMs)[0];
}

/** Prints a line for each kind of fault; whether enough were put down rightly, of those that made a stall. */
export async function runInjections(repeats: number, wanted: string): Promise<boolean> {
  process.stdout.write('injected | to be put down to | made a stall | put down rightly | otherwise\n');
  const total = { right: 0, stalled: 0 };
  const stage = await Stage.build();
  try {
    for (const injection of injections.filter(({ what }) => what.includes(wanted))) {
      const { right, stalled } = await runInjection(stage, injection, repeats);
      total.right += right;
      total.stalled += stalled;
    }
  } finally {
    await stage.remove();
  }
  const share = total.right / total.stalled;
  process.stdout.write(`in all: ${total.right} of ${total.stalled} put down rightly, ${(share * 100).toFixed(1)} % (limit ${leastShare * 100} %)\n`);
  return share >= leastShare;
}

async function runInjection(stage: Stage, injection: Injection, repeats: number): Promise<{ right: number; stalled: number }> {
  let injected = 0;
  const stalls: AttributedGap[] = [];
  for (let repeat = 1; repeat <= repeats; repeat++) {
    const trial = 'prepare' in injection.how ? await byHand(stage, injection, injection.how, repeat) : await byLink(stage, injection, injection.how, repeat);
    injected += trial.spans.length;
    stalls.push(...new Set(trial.spans.map(span => stallOf(span, trial.stalls)).filter(stall => stall !== undefined)));
  }
  const wrong = stalls.filter(({ cause }) => !injection.expected.includes(cause));
  const right = stalls.length - wrong.length;
  process.stdout.write(`${injection.what} | ${injection.expected.join(' or ')} | ${stalls.length} of ${injected} | ${stalls.length === 0 ? '-' : `${right} of ${stalls.length}`} | ${[...new Set(wrong.map(({ cause }) => cause))].join(', ') || '-'}\n`);
  for (const { cause, evidence } of wrong) process.stdout.write(`    ${cause}: ${evidence}\n`);
  return { right, stalled: stalls.length };
}
