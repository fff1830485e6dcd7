/**
 * 5G on millimetre waves: a high rate that falls to a small part of it while a body or a car blocks the beam. The speed
 * is that of tests on a network whose 5G had no other bands yet.
 */
import { object } from '../../../../core/schema/schema.ts';
import { cellularRows } from '../../cellular.ts';
import type { GeneratorPlugin } from '../../generators.ts';
import { medianMbps } from '../../statistics.ts';

/** Mean time between blockages, their length, ms, and the share of the rate that is left. */
const everyMs = 8000;
const [shortestMs, longestMs] = [200, 1200];
const leftRatio = 0.03;
/** Median rates, Mbit/s; that of the way up is fitted to nothing. */
const mbps = { down: 1000, up: 30 };

export const plugin: GeneratorPlugin = {
  id: '5g-mmwave',
  title: '5G, millimetre waves',
  source:
    'Ookla, Speedtest United States Market Report of the second quarter of 2020, by RCR Wireless News, 2020-07-09: ' +
    'Speed Score of 5G tests on the network of Verizon, which weighs the speed down by 90 % and that up by 10 %',
  params: object({}),
  about:
    'Blockages of 0.2 to 1.2 s about every 8 s with 3 % of the rate, and the round-trip time of 20 ms, are fitted to ' +
    'nothing. A link that a browser shares two cores with does not carry it: take `times`.',
  fittedMs: 600_000,
  statistics: [
    {
      name: 'Speed Score, Mbit/s',
      published: 870.5,
      of: ({ down, up }) => 0.9 * medianMbps(down) + 0.1 * medianMbps(up),
    },
  ],
  make(options) {
    const rows = cellularRows({ mbps, sigma: 0.35, changesMs: 500, rttMs: 20, jitterSigma: 0.1 }, options);
    // a blockage is one of both directions
    const blocked = options.random('blockages');
    for (let atMs = everyMs * blocked.next(); atMs < options.lengthMs; atMs += 2 * everyMs * blocked.next()) {
      const endMs = atMs + shortestMs + (longestMs - shortestMs) * blocked.next();
      for (const row of rows)
        if (row.rateBps !== undefined && row.atMs >= atMs && row.atMs < endMs)
          row.rateBps = Math.round(row.rateBps * leftRatio);
      atMs = endMs;
    }
    return rows;
  },
};
