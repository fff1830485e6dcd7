/**
 * Random loss: how much, and whether one seed always loses the same packets. Each repetition has a seed of its own and
 * sends twice.
 */
import { isDeepStrictEqual } from 'node:util';
import { binomialInterval } from '../../../core/stats/binomial-interval.ts';
import { lostSequences } from '../../../shaper/calibrate/loss.ts';
import { lossPlan } from '../../../shaper/calibrate/plan.ts';
import { observeLoss, triedPath } from '../../../shaper/calibrate/steps.ts';
import type { Bench } from './bench.ts';
import type { Beside, Measurement } from './row.ts';

const confidence = 0.99;

/** Lost sequence numbers of one sender; null where packets were lost elsewhere. */
async function losses(
  bench: Bench,
  lossRatio: number,
  seed: number,
): Promise<{ sent: number; lost: number[]; foretold: number[]; spoilt: boolean; beside: Beside }> {
  const whole = bench.link(40e6, 1000, { lossRatio, seed });
  const link = { ...whole, paths: [triedPath(whole)] };
  const observed = await observeLoss(link, bench.probing, (ratio, paths) => lossPlan(link, ratio, paths));
  const { sent, arrivals, kernelDropped, counters } = observed.seen[0]!;
  return {
    sent,
    lost: lostSequences(sent, arrivals),
    foretold: triedPath(link).loss!.predicted!(sent),
    spoilt: kernelDropped > 0 || counters.droppedPackets > 0,
    beside: observed,
  };
}

export const randomLosses: readonly Measurement[] = [0.005, 0.01, 0.02, 0.03].map(lossRatio => {
  let seed = 0;
  const percent = (value: number) => `${(value * 100).toFixed(3)} %`;
  return {
    rows: [
      {
        what: `tc: random loss of ${lossRatio * 100} %`,
        mustReach: 'inside the 99 % binomial interval; the same packets, as foretold, whenever the seed is the same',
        format: percent,
        ratio: median => median / lossRatio,
      },
    ],
    async measure(bench) {
      seed++;
      const [first, again] = [await losses(bench, lossRatio, seed), await losses(bench, lossRatio, seed)];
      const { low, high } = binomialInterval(first.sent, lossRatio, confidence);
      const same = isDeepStrictEqual(first.lost, again.lost) && isDeepStrictEqual(first.lost, first.foretold);
      const inside = first.lost.length >= low && first.lost.length <= high;
      const outcome = { value: first.lost.length / first.sent, reached: same && inside };
      return { outcomes: first.spoilt || again.spoilt ? null : [outcome], beside: [first.beside, again.beside] };
    },
  };
});
