/**
 * Whether quality of experience can be trusted: faults put into real trials against the causes that their stalls are
 * put down to, and what it takes to summarise a long trial.
 *
 *   npm run bench:qoe [-- REPEATS [PART]]
 *
 * REPEATS: trials for each kind of fault, of eight faults each. PART picks the faults whose name contains that text, or
 * "summary". Of each kind of fault at least 95 % of the stalls must be put down to what made them, and there must be
 * some; ten minutes at 50 Mbit/s must be summarised in 5 s and 1 GiB. Exit status 3 where a limit is missed.
 */
import { CoexistError } from '../../core/errors.ts';
import { removeLeftovers } from '../../harness/runner/leftovers.ts';
import { runInjections } from './qoe/attribution.ts';
import { injections } from './qoe/injections.ts';
import { runLongSummary } from './qoe/long-summary.ts';
import { runBench } from './support/bench.ts';

const longSummary = 'summary';

await runBench(async () => {
  const [repeats = '3', part = ''] = process.argv.slice(2);
  const known = [longSummary, ...injections.map(({ what }) => what)];
  if (!/^[1-9]\d*$/.test(repeats) || !known.some(what => what.includes(part))) {
    throw new CoexistError('usage', 'usage: npm run bench:qoe [-- REPEATS [PART]]', {
      hint: `parts: ${known.join('; ')}`,
    });
  }
  const summary = longSummary.includes(part) ? runLongSummary() : true;
  if (!injections.some(({ what }) => what.includes(part))) return summary;
  await removeLeftovers();
  return (await runInjections(Number(repeats), part)) && summary;
});
