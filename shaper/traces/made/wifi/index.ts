/**
 * Wi-Fi with delay spikes. A station that scans other channels, or an access point that serves others, holds packets
 * back for about a second now and then; the first of them waits longest.
 */
import { object } from '../../../../core/schema/schema.ts';
import type { GeneratorPlugin } from '../../generators.ts';
import { byRank, logNormal, rounded, slowScores, throughPoints } from '../../noise.ts';
import { rttQuantile } from '../../statistics.ts';

const stepMs = 20;
/** A spike lasts 8 to 12 pings of 0.1 s. */
const [shortestMs, longestMs] = [800, 1200];
/** Mean time from the start of one spike to that of the next, ms: a tenth of the time lies in spikes. */
const everyMs = 10_000;

/** Quantiles of the round-trip time, ms. The points at 0 and 0.9 leave out what is not published below the median. */
const rtt = throughPoints([
  [0, 1],
  [0.5, 2],
  [0.9, 4],
  [0.95, 14.2],
  [1, 86],
]);

export const plugin: GeneratorPlugin = {
  id: 'wifi',
  title: 'Wi-Fi with delay spikes',
  source: 'pings of a PC over Wi-Fi for 2 min, private-octopus/picoquic issue 1481 (2023-05-05)',
  params: object({}),
  about:
    'Both directions have half of the round-trip time, and their spikes together. The rate, 100 Mbit/s with a ' +
    'standard deviation of a third, is fitted to nothing.',
  fittedMs: 120_000,
  statistics: [
    { name: 'median RTT, ms', published: 2, of: rttQuantile(0.5) },
    { name: 'p90 of the RTT, ms', published: 4, of: rttQuantile(0.9) },
    { name: 'p95 of the RTT, ms', published: 14.2, of: rttQuantile(0.95) },
    { name: 'highest RTT, ms', published: 86, of: rttQuantile(1) },
  ],
  make({ lengthMs, direction, random }) {
    const count = Math.ceil(lengthMs / stepMs);
    const scores = slowScores(random('delay'), count, 3);
    const spikes = random('spikes');
    // the times between spikes vary by a half, so that they are not periodic
    for (let atMs = everyMs * spikes.next(); atMs < lengthMs; atMs += everyMs * (0.5 + spikes.next())) {
      const lastsMs = shortestMs + (longestMs - shortestMs) * spikes.next();
      const height = 0.5 + 0.5 * spikes.next();
      const first = Math.floor(atMs / stepMs);
      const steps = Math.round(lastsMs / stepMs);
      // scores above those of the noise, which lie within about 4
      for (let k = 0; k < steps && first + k < count; k++) scores[first + k] = 10 + height * (1 - k / steps);
    }
    const delays = byRank(scores, rtt);
    const rates = byRank(slowScores(random(`rate ${direction}`), count, 25), logNormal(100, 0.33));
    return [
      ...delays.map((rttMs, k) => ({
        atMs: k * stepMs,
        rateBps: rounded(rates[k]!, 1) * 1e6,
        delayMs: rounded(rttMs / 2, 3),
      })),
      { atMs: count * stepMs },
    ];
  },
};
