/** Mean rate, and packets in a full queue, under an overload of 1.15. */
import { formatRate } from '../../../core/text/units.ts';
import { type OverloadRate, overloadRate } from '../../../shaper/calibrate/overload.ts';
import { overloadPlan } from '../../../shaper/calibrate/plan.ts';
import { observeOverload } from '../../../shaper/calibrate/steps.ts';
import { type Bench, type BenchBackend, benchBackends } from './bench.ts';
import { atMost, type Beside, type Measurement } from './row.ts';

const rateLimit = 0.0025;
const plateauLimitPackets = 1;
const percent = (value: number) => `${(value * 100).toFixed(3)} %`;

/** Null where the queue ran empty: what left was then what the sender offered. */
async function overload(
  bench: Bench,
  backend: BenchBackend,
  rateBps: number,
  limitPackets: number,
): Promise<{ rate: OverloadRate | null; beside: Beside[] }> {
  const link = bench.link(rateBps, limitPackets, { backend });
  const plan = overloadPlan(link)!;
  const observed = await observeOverload(link, bench.probing, plan, 0);
  const rate = overloadRate(link, plan, observed.seen);
  return { rate: rate === undefined || rate.foundEmpty > 0 ? null : rate, beside: [observed] };
}

export const rates: readonly Measurement[] = benchBackends.flatMap(backend =>
  [0.5e6, 8e6, 40e6, 100e6].map(
    (rateBps): Measurement => ({
      rows: [atMost(`${backend}: error of the mean rate at ${formatRate(rateBps)}`, rateLimit, percent)],
      async measure(bench) {
        const { rate, beside } = await overload(bench, backend, rateBps, 100);
        const error = rate === null ? null : Math.abs(rate.meanBps / rateBps - 1);
        return { outcomes: error === null ? null : [{ value: error, reached: error <= rateLimit }], beside };
      },
    }),
  ),
);

export const plateaus: readonly Measurement[] = benchBackends.flatMap(backend =>
  [100, 1000].map(
    (limitPackets): Measurement => ({
      rows: [
        atMost(
          `${backend}: packets in a full queue beside its limit of ${limitPackets}, at 40 Mbit/s`,
          plateauLimitPackets,
          value => value.toFixed(2),
        ),
      ],
      async measure(bench) {
        const { rate, beside } = await overload(bench, backend, 40e6, limitPackets);
        const error = rate === null ? null : Math.abs(rate.queuePackets - limitPackets);
        return { outcomes: error === null ? null : [{ value: error, reached: error <= plateauLimitPackets }], beside };
      },
    }),
  ),
);
