/**
 * A low-orbit satellite link. The network assigns a satellite to each terminal in slots of 15 s (Mohan et al., "A
 * multifaceted look at Starlink performance", WWW 2024). Within a slot delay and rate are steady; at its end nothing
 * passes for a moment, then both are new.
 */
import { object } from '../../../../core/schema/schema.ts';
import type { GeneratorPlugin } from '../../generators.ts';
import { byRank, rounded, slowScores, throughPoints } from '../../noise.ts';
import { meanMbps, rttQuantile } from '../../statistics.ts';
import type { TableRow } from '../../table.ts';

const slotMs = 15_000;
const stepMs = 100;
/** Length of an outage at the end of a slot, ms. */
const [shortestMs, longestMs] = [60, 200];
/** Largest deviation of the round-trip time within a slot, ms. */
const jitterMs = 4;
/** Rate of the way up, relative to that down. */
const upRatio = 0.1;

const rtt = throughPoints([
  [0, 20],
  [0.25, 40],
  [0.5, 50],
  [0.75, 60],
  [1, 80],
]);
const mbps = throughPoints([
  [0, 100],
  [1, 200],
]);

export const plugin: GeneratorPlugin = {
  id: 'leo',
  title: 'low-orbit satellite',
  source:
    'Michel, Trevisan, Giordano and Bonaventure, "A first look at Starlink performance", IMC 2022, by their article in ' +
    'the APNIC blog, 2022-11-28: pings to European anchors, and the range of the advertised rate',
  params: object({}),
  about:
    'The outages at the ends of slots (60 to 200 ms), the jitter within a slot (4 ms) and the rate up (a tenth of that ' +
    'down) are fitted to nothing. Losses of the radio are left out: `link.loss` adds them.',
  fittedMs: 1_200_000,
  statistics: [
    { name: 'p25 of the RTT, ms', published: 40, of: rttQuantile(0.25) },
    { name: 'median RTT, ms', published: 50, of: rttQuantile(0.5) },
    { name: 'p75 of the RTT, ms', published: 60, of: rttQuantile(0.75) },
    { name: 'middle of the rates down, Mbit/s', published: 150, of: ({ down }) => meanMbps(down) },
  ],
  make({ lengthMs, direction, random }) {
    const slots = random('slots');
    const count = Math.ceil(lengthMs / slotMs) + 1;
    const firstMs = Math.round((slotMs * slots.next()) / stepMs) * stepMs;
    const scores = () => Array.from({ length: count }, () => slots.next());
    const [rtts, rates] = [byRank(scores(), rtt), byRank(scores(), mbps)];
    const noise = slowScores(random('jitter'), Math.ceil(lengthMs / stepMs), 5);
    const rows: TableRow[] = [];
    let outageEndMs = 0;
    for (const [k, score] of noise.entries()) {
      const atMs = k * stepMs;
      const slot = Math.floor((atMs - firstMs) / slotMs) + 1;
      const rateBps = Math.round(rates[slot]! * (direction === 'up' ? upRatio : 1) * 1e3) * 1e3;
      const delayMs = rounded((rtts[slot]! + jitterMs * Math.max(-1, Math.min(1, score / 2))) / 2, 2);
      if (atMs > 0 && (atMs - firstMs) % slotMs === 0)
        outageEndMs = atMs + Math.round(shortestMs + (longestMs - shortestMs) * slots.next());
      rows.push({ atMs, rateBps, delayMs, outage: atMs < outageEndMs });
      if (outageEndMs > atMs && outageEndMs < atMs + stepMs) rows.push({ atMs: outageEndMs, outage: false });
    }
    return [...rows, { atMs: noise.length * stepMs }];
  },
};
