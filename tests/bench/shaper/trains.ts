/** Packets that leave at line rate after idle: most of the trains of one repetition. */
import { formatRate } from '../../../core/text/units.ts';
import { trainPlan } from '../../../shaper/calibrate/plan.ts';
import { observeTrains } from '../../../shaper/calibrate/steps.ts';
import { trainReadings } from '../../../shaper/calibrate/trains.ts';
import { benchBackends } from './bench.ts';
import { atMost, type Measurement } from './row.ts';

/** A token bucket lets a second packet go at once, a link that serialises does not. */
const limitPackets = { tc: 2, emulator: 1 } as const;

export const trains: readonly Measurement[] = benchBackends.flatMap(backend =>
  [8e6, 40e6, 100e6].map(
    (rateBps): Measurement => ({
      rows: [
        atMost(`${backend}: packets at line rate after idle, at ${formatRate(rateBps)}`, limitPackets[backend], String),
      ],
      async measure(bench) {
        const link = bench.link(rateBps, 1000, { backend });
        const plan = trainPlan(link)!;
        const observed = await observeTrains(link, bench.probing, plan);
        const together = trainReadings(link, plan, observed.seen).find(({ id }) => id === 'line-rate-packets')!;
        const spoilt = together.verdict === 'repeat' || together.measured === null;
        return {
          outcomes: spoilt
            ? null
            : [{ value: together.measured!, reached: together.measured! <= limitPackets[backend] }],
          beside: [observed],
        };
      },
    }),
  ),
);
