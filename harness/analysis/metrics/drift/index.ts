/**
 * Metric: change within the measured window, its second half minus its first half. It shows whether a trial had settled
 * before the window, so that the mean over the window does not depend on the length of the window.
 */
import { object } from '../../../../core/schema/schema.ts';
import { mean } from '../../../../core/stats/quantile.ts';
import type { TrialRecord, Window } from '../../../record/trial-record.ts';
import { goodputBps } from '../../derive/rates.ts';
import { pingRoundTrips } from '../../derive/round-trips.ts';
import type { MetricPlugin } from '../metric.ts';

/** Returns the value of the window's second half minus that of its first half. Null if a half has no value. */
async function driftOf(
  { window: { startMs, endMs } }: TrialRecord,
  valueIn: (half: Window) => Promise<number | null>,
): Promise<number | null> {
  const middleMs = (startMs + endMs) / 2;
  const [first, second] = await Promise.all([
    valueIn({ startMs, endMs: middleMs }),
    valueIn({ startMs: middleMs, endMs }),
  ]);
  return first === null || second === null ? null : second - first;
}

const goodputDrift = async (records: readonly TrialRecord[], seen: TrialRecord) => ({
  'goodput-drift': await driftOf(seen, window =>
    goodputBps(records, { window, windowS: (window.endMs - window.startMs) / 1000 }),
  ),
});

export const plugin: MetricPlugin = {
  id: 'drift',
  title: 'Change within the window',
  source: 'own',
  params: object({}),
  reading: {
    needs: 'Goodput: as the goodput. Round trip: any service.',
    cannotTell: 'Why it changed: an application that starts, pauses or ends within the window changes it, too.',
    definitions: {
      'goodput-drift': 'Goodput in the second half of the window minus goodput in the first half.',
      'rtt-drift': 'Mean round-trip time of the ICMP probes sent in the second half minus that of the first half.',
    },
  },
  quantities: [
    { id: 'goodput-drift', title: 'Goodput, change within the window', unit: 'bit/s', better: null, together: true },
    { id: 'rtt-drift', title: 'Round trip, change within the window', unit: 'ms', better: null, of: 'link' },
  ],
  compute: record => goodputDrift([record], record),
  computeLink: async record => ({
    'rtt-drift': await driftOf(record, async half => mean((await pingRoundTrips(record, half)).rttsMs) ?? null),
  }),
  computeTogether: goodputDrift,
};
