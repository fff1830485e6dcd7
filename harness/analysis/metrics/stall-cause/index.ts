/** Metric: stalled time by cause (harness/analysis/derive/attribution/README.md). */
import { object } from '../../../../core/schema/schema.ts';
import { causeIds, causes } from '../../../../core/vocabulary/stalls.ts';
import { presentedSeries } from '../../../record/series/frames.presented.ts';
import { attributedStalls } from '../../derive/attribution/attribute.ts';
import type { MetricPlugin } from '../metric.ts';

export const plugin: MetricPlugin = {
  id: 'stall-cause',
  title: 'Causes of stalls',
  source: 'own',
  params: object({}),
  reading: {
    needs: '`live-clip`; without the queue log some causes become `unknown` or `repair`.',
    cannotTell: 'A second cause: each stall gets that of the part of the latency that grew most.',
    definitions: {
      ...Object.fromEntries(
        causeIds.map(cause => [
          `stalled-by-${cause}`,
          `Sum of the stalls (as of \`stall-count\`) inside the window with the cause "${causes[cause]}".`,
        ]),
      ),
    },
  },
  quantities: causeIds.map(cause => ({
    id: `stalled-by-${cause}`,
    title: `Stalled, ${causes[cause]}`,
    unit: 's',
    better: 'lower' as const,
  })),
  async compute(record) {
    const nothing = (await record.read(presentedSeries)).length === 0;
    const stalls = await attributedStalls(record);
    return Object.fromEntries(
      causeIds.map(cause => [
        `stalled-by-${cause}`,
        nothing
          ? null
          : stalls
              .filter(stall => stall.cause === cause)
              .reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0) / 1000,
      ]),
    );
  },
};
