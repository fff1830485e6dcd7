/**
 * That the emulator serialises: each packet alone takes its own time, and no gap in a train is shorter than a packet.
 */
import { formatRate } from '../../../core/text/units.ts';
import { serialisationPlan } from '../../../shaper/calibrate/plan.ts';
import type { Reading } from '../../../shaper/calibrate/readings.ts';
import { serialisationReadings } from '../../../shaper/calibrate/serialisation.ts';
import { observeSerialisation } from '../../../shaper/calibrate/steps.ts';
import type { Measurement, Row } from './row.ts';

const limitPackets = 1000;

const rowOf = (rateBps: number, { title, unit, tolerance: { low, high }, asked }: Reading): Row => {
  const format = (value: number) =>
    unit === 'ms' ? `${(value * 1e3).toFixed(0)} us` : `${(value * 100).toFixed(1)} %`;
  return {
    what: `emulator: ${title}, at ${formatRate(rateBps)}`,
    mustReach: unit === 'ms' ? `${format(low)} to ${format(high)}` : `at least ${format(low)}`,
    format,
    ratio: median => median / asked,
  };
};

export const serialisation: readonly Measurement[] = [1e6, 8e6, 40e6, 100e6].map((rateBps): Measurement => {
  const asked = { rateBps, overheadBytes: 14, limitPackets, limitBytes: null, bucketBytes: 0 };
  const link = {
    ...asked,
    discipline: { title: 'FIFO', law: { kind: 'tail' } as const, roomPackets: null },
    paths: [],
    counters: () => Promise.reject(new Error('not asked')),
    reset: () => Promise.reject(new Error('not set')),
  };
  const plan = serialisationPlan(link)!;
  return {
    // the questions are the same whatever is seen
    rows: serialisationReadings(link, plan, { delayMs: 0, idle: [], trains: [] }).map(read => rowOf(rateBps, read)),
    async measure(bench) {
      const formed = bench.link(rateBps, limitPackets, { backend: 'emulator' });
      const observed = await observeSerialisation(formed, bench.probing, plan);
      const readings = serialisationReadings(formed, plan, observed.seen);
      const spoilt = readings.some(({ measured, verdict }) => measured === null || verdict === 'repeat');
      // here only what was asked for counts: a machine that was late is no excuse
      return {
        outcomes: spoilt
          ? null
          : readings.map(({ measured, verdict }) => ({ value: measured!, reached: verdict === 'ok' })),
        beside: [observed],
      };
    },
  };
});
