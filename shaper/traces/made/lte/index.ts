/** LTE: the medians of speed tests in the United States while nearly all of them ran over 4G. */
import { object } from '../../../../core/schema/schema.ts';
import { cellularRows } from '../../cellular.ts';
import type { GeneratorPlugin } from '../../generators.ts';
import { medianMbps, rttQuantile } from '../../statistics.ts';

export const plugin: GeneratorPlugin = {
  id: 'lte',
  title: 'LTE',
  source:
    'Ookla, Speedtest United States Market Report of the second quarter of 2020, by RCR Wireless News, 2020-07-09: ' +
    'medians of all mobile tests, and the middle one of the latencies of three networks (31, 33, 35 ms)',
  params: object({}),
  about:
    'How much and how fast the rate of one phone varies (a standard deviation of half, within 2 s) is fitted to ' +
    'nothing: the published medians are those of many phones.',
  fittedMs: 600_000,
  statistics: [
    { name: 'median rate down, Mbit/s', published: 29, of: ({ down }) => medianMbps(down) },
    { name: 'median rate up, Mbit/s', published: 5.74, of: ({ up }) => medianMbps(up) },
    { name: 'median RTT, ms', published: 33, of: rttQuantile(0.5) },
  ],
  make: options =>
    cellularRows({ mbps: { down: 29, up: 5.74 }, sigma: 0.5, changesMs: 2000, rttMs: 33, jitterSigma: 0.12 }, options),
};
