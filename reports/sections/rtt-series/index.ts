/** Section with the round-trip time over time. */
import { object } from '../../../core/schema/schema.ts';
import { meanPerBin } from '../../../core/stats/binned.ts';
import { conditionLines } from '../../condition-lines.ts';
import type { ReportSection } from '../../report.ts';

/** Width of a bin, ms. It equals the interval between two probes, so each bin has one probe. */
const binMs = 200;

export const plugin: ReportSection = {
  id: 'rtt-series',
  title: 'Round-trip time over time',
  source: 'Juntima et al., Figure 6',
  params: object({}),
  order: 50,
  render: report =>
    conditionLines(report, {
      title: 'Round-trip time over time',
      unit: 'ms',
      binMs,
      perBin: async record =>
        meanPerBin(
          (await record.pings()).flatMap(({ timeMs, rttMs }) => (rttMs === null ? [] : [{ timeMs, value: rttMs }])),
          record.window,
          binMs,
        ),
      about: 'ICMP at 5 Hz, drawn at the time the probe was sent; lost probes are gaps.',
    }),
};
