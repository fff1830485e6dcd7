/**
 * What the shaper really does, row by row: rate, serialisation, bursts, queue, random loss, a step of capacity, delay,
 * the queue log.
 *
 *   npm run bench:shaper [-- REPEATS [ROW]]
 *
 * ROW picks the rows that contain that text. Repetitions that the machine disturbed (a late wake-up, a sender
 * that was late, a queue that ran empty) are left out, counted and done again. Exit status 3 where a row was not
 * reached.
 */
import { CoexistError } from '../../core/errors.ts';
import { removeLeftovers } from '../../harness/trial/leftovers.ts';
import { Bench } from './shaper/bench.ts';
import { capacityStep } from './shaper/capacity-step.ts';
import { delays, lineCost } from './shaper/delay.ts';
import { emulatorCost } from './shaper/emulator-cost.ts';
import { randomLosses } from './shaper/loss.ts';
import { plateaus, rates } from './shaper/overload.ts';
import { queueLog } from './shaper/queue-log.ts';
import { isReached, type Measurement, repeat, tableLine } from './shaper/row.ts';
import { serialisation } from './shaper/serialisation.ts';
import { trains } from './shaper/trains.ts';
import { runBench } from './support/bench.ts';

const measurements: readonly Measurement[] = [
  ...rates,
  ...serialisation,
  ...trains,
  ...plateaus,
  ...randomLosses,
  capacityStep,
  ...delays,
  lineCost,
  ...emulatorCost,
  queueLog,
];

const repeats = Number(process.argv[2] ?? 5);
const wanted = process.argv[3] ?? '';

await runBench(async () => {
  if (!Number.isInteger(repeats) || repeats < 1)
    throw new CoexistError('usage', 'usage: npm run bench:shaper [-- REPEATS [ROW]]');
  await removeLeftovers();
  const bench = await Bench.build();
  let reached = true;
  try {
    process.stdout.write('what | must reach | measured median [range], n | ratio\n');
    for (const measurement of measurements) {
      if (!measurement.rows.some(({ what }) => what.includes(wanted))) continue;
      const { outcomes, disturbed } = await repeat(bench, measurement, repeats);
      measurement.rows.forEach((row, i) => {
        const ofRow = outcomes.map(all => all[i]!);
        reached &&= isReached(ofRow);
        process.stdout.write(`${tableLine(row, ofRow, disturbed)}\n`);
      });
    }
  } finally {
    await bench.remove();
  }
  return reached;
});
