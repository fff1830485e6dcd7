/**
 * Cable (DOCSIS): a constant rate, a steady delay down, and a delay up that varies with the wait for the next grant. Its
 * queue is a setting of the link: docs/links.md has those with and without AQM.
 */
import { object } from '../../../../core/schema/schema.ts';
import type { GeneratorPlugin } from '../../generators.ts';
import { byRank, rounded, slowScores, throughPoints } from '../../noise.ts';
import { meanRtt } from '../../statistics.ts';

/** The wait for a grant changes from packet to packet; a table cannot be finer than this, ms. */
const stepMs = 20;
const mbps = { down: 100, up: 10 };
/** Delay down, and range of the delay up, ms: 32 ms in all, of which the grants take 2 to 8. */
const downMs = 13.5;
const up = throughPoints([
  [0, 15.5],
  [1, 21.5],
]);

export const plugin: GeneratorPlugin = {
  id: 'cable',
  title: 'cable',
  source:
    'FCC, Measuring Broadband America, the report with 34.9 ms as the mean of all terrestrial technologies in peak ' +
    'periods, as quoted on blog.josephscott.org ("Latency on US home internet connections"): mean of cable',
  params: object({}),
  about:
    'The rates, 100 and 10 Mbit/s, and the range of the wait for a grant, 6 ms, are fitted to nothing. The latency ' +
    'under load comes from the queue of the link, with or without AQM.',
  fittedMs: 120_000,
  statistics: [{ name: 'mean RTT, ms', published: 32, of: meanRtt }],
  make({ lengthMs, direction, random }) {
    const rateBps = mbps[direction] * 1e6;
    if (direction === 'down') return [{ atMs: 0, rateBps, delayMs: downMs }, { atMs: lengthMs }];
    const count = Math.ceil(lengthMs / stepMs);
    const delays = byRank(slowScores(random('grants'), count, 1), up);
    return [
      ...delays.map((delayMs, k) => ({ atMs: k * stepMs, rateBps, delayMs: rounded(delayMs, 2) })),
      { atMs: count * stepMs },
    ];
  },
};
