/** 5G on mid-band spectrum: the medians of speed tests on a network that uses mostly this. */
import { object } from '../../../../core/schema/schema.ts';
import { cellularRows } from '../../cellular.ts';
import type { GeneratorPlugin } from '../../generators.ts';
import { medianMbps, rttQuantile } from '../../statistics.ts';

export const plugin: GeneratorPlugin = {
  id: '5g-mid-band',
  title: '5G, mid-band',
  source:
    'Ookla, Speedtest Connectivity Report of the United States, January to June 2024, by RCR Wireless News, ' +
    '2024-07-17: 5G tests on the network of T-Mobile',
  params: object({}),
  about:
    'How much and how fast the rate of one phone varies (a standard deviation of 40 %, within 1 s) is fitted to ' +
    'nothing. A link that a browser shares two cores with does not carry it: take `times`.',
  fittedMs: 600_000,
  statistics: [
    { name: 'median rate down, Mbit/s', published: 265.8, of: ({ down }) => medianMbps(down) },
    { name: 'median rate up, Mbit/s', published: 14.56, of: ({ up }) => medianMbps(up) },
    { name: 'median RTT, ms', published: 47, of: rttQuantile(0.5) },
  ],
  make: options =>
    cellularRows(
      { mbps: { down: 265.8, up: 14.56 }, sigma: 0.4, changesMs: 1000, rttMs: 47, jitterSigma: 0.08 },
      options,
    ),
};
