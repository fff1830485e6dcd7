/** DSL: a constant rate, and the delay of interleaving. */
import { object } from '../../../../core/schema/schema.ts';
import type { GeneratorPlugin } from '../../generators.ts';
import { byRank, rounded, slowScores, throughPoints } from '../../noise.ts';
import { meanRtt } from '../../statistics.ts';

const stepMs = 100;
const mbps = { down: 16, up: 1 };
/** Round-trip times, ms: the mean, with a jitter of 1 ms either way. */
const rtt = throughPoints([
  [0, 48],
  [1, 50],
]);

export const plugin: GeneratorPlugin = {
  id: 'dsl',
  title: 'DSL',
  source:
    'FCC, Measuring Broadband America, the report with 34.9 ms as the mean of all terrestrial technologies in peak ' +
    'periods, as quoted on blog.josephscott.org ("Latency on US home internet connections"): mean of DSL',
  params: object({}),
  about: 'The rates, 16 and 1 Mbit/s, and the jitter of 1 ms are fitted to nothing.',
  fittedMs: 120_000,
  statistics: [{ name: 'mean RTT, ms', published: 49, of: meanRtt }],
  make({ lengthMs, direction, random }) {
    const count = Math.ceil(lengthMs / stepMs);
    const rateBps = mbps[direction] * 1e6;
    const rtts = byRank(slowScores(random('delay'), count, 2), rtt);
    return [
      ...rtts.map((rttMs, k) => ({ atMs: k * stepMs, rateBps, delayMs: rounded(rttMs / 2, 2) })),
      { atMs: count * stepMs },
    ];
  },
};
