/** Metric: share of the window in which the voice was interrupted, by cause (harness/analysis/derive/voice/README.md). */
import { object } from '../../../../core/schema/schema.ts';
import { interruptionCauseIds, interruptionCauses } from '../../../../core/vocabulary/interruption.ts';
import { interruptionsOf } from '../../derive/voice/interruptions.ts';
import type { MetricPlugin } from '../metric.ts';

export const plugin: MetricPlugin = {
  id: 'voice-cause',
  title: 'Causes of interruptions of the voice',
  source: 'own',
  params: object({}),
  reading: {
    needs:
      '`live-clip` with `audio`, or `voice`; without the queue log some causes become `unknown` or `other-loss`. It is ' +
      'what the listener heard, and what the records of sender, bottleneck and browser say of the frames that were ' +
      'due. A browser that sends (`chromium-call`) does not tell its packets, so its interruptions are `unknown`.',
    cannotTell:
      'A second cause: each interruption gets that of most of its time. Whether in-band FEC could have repaired a frame, ' +
      'because the encoder does not say which packets have a copy.',
    definitions: Object.fromEntries(
      interruptionCauseIds.map(cause => [
        `voice-interrupted-by-${cause}`,
        'Sum of the interruptions (as of `voice-interruptions`) inside the window with the cause ' +
          `"${interruptionCauses[cause]}", over the window without the pauses of the sender.`,
      ]),
    ),
  },
  quantities: interruptionCauseIds.map(cause => ({
    id: `voice-interrupted-by-${cause}`,
    title: `Voice interrupted, ${interruptionCauses[cause]}`,
    unit: 'ratio',
    better: 'lower' as const,
  })),
  async compute(record) {
    const interruptions = await interruptionsOf(record);
    return Object.fromEntries(
      interruptionCauseIds.map(cause => [
        `voice-interrupted-by-${cause}`,
        interruptions === undefined
          ? null
          : interruptions
              .filter(interruption => interruption.cause === cause)
              .reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0) /
            1000 /
            record.windowS,
      ]),
    );
  },
};
