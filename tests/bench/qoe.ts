/**
 * Whether quality of experience can be trusted: faults put into real trials against the causes that their stalls are
 * put down to, and what it takes to summarise a long trial.
 *
 *   npm run bench:qoe [-- REPEATS [PART [FILE]]]
 *
 * REPEATS: trials for each kind of fault, of eight faults each. PART picks the faults whose name contains that text, or
 * "summary". Of each kind of fault at least 95 % of the stalls must be put down to what made them, and there must be
 * some; ten minutes at 50 Mbit/s must be summarised in 5 s and 1 GiB. Exit status 3 where a limit is missed.
 *
 * Only if PART asks for them, two tables are printed that the limits of a trial's verdict rest on: "hold-ups" (of each
 * part for 10 to 200 ms, with what the viewer saw then) and "busy seconds" (other programs take the processor; how long
 * threads of the trial waited, with what the viewer saw in that second). FILE gets each of these as a line of JSON.
 */
import { CoexistError } from '../../core/errors.ts';
import { removeLeftovers } from '../../harness/trial/leftovers.ts';
import { runInjections } from './qoe/attribution.ts';
import { busySeconds, runBusySeconds } from './qoe/busy-seconds.ts';
import { holdUpNames, runHoldUps } from './qoe/hold-ups.ts';
import { injections } from './qoe/injections.ts';
import { runLongSummary } from './qoe/long-summary.ts';
import { runBench } from './support/bench.ts';

const longSummary = 'summary';

await runBench(async () => {
  const [repeats = '3', part = '', file] = process.argv.slice(2);
  const known = [longSummary, ...injections.map(({ what }) => what), ...holdUpNames, busySeconds];
  if (!/^[1-9]\d*$/.test(repeats) || !known.some(what => what.includes(part))) {
    throw new CoexistError('usage', 'usage: npm run bench:qoe [-- REPEATS [PART [FILE]]]', {
      hint: `parts: ${known.join('; ')}`,
    });
  }
  let kept = longSummary.includes(part) ? runLongSummary() : true;
  await removeLeftovers();
  if (injections.some(({ what }) => what.includes(part))) kept = (await runInjections(Number(repeats), part)) && kept;
  if (part === '') return kept;
  if (holdUpNames.some(name => name.includes(part))) await runHoldUps(Number(repeats), part, file);
  if (busySeconds.includes(part)) await runBusySeconds(Number(repeats), file);
  return kept;
});
