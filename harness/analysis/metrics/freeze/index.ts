/**
 * Metric: freezes and pauses as W3C defines them, from presentation times, with Chromium's own counters for comparison.
 */
import { object } from '../../../../core/schema/schema.ts';
import { growth } from '../../../../core/stats/counters.ts';
import type { TrialRecord } from '../../../record/trial-record.ts';
import { chromiumCount, type Freeze, freezesOf, pauseMs } from '../../derive/freezes.ts';
import { inboundCounter } from '../../derive/inbound.ts';
import type { Gap } from '../../derive/presentation.ts';
import { stallsOf } from '../../derive/stalls.ts';
import type { MetricPlugin } from '../metric.ts';

const seconds = (parts: readonly Pick<Gap, 'startMs' | 'endMs'>[]) =>
  parts.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0) / 1000;

function ours(freezes: readonly Freeze[], pauses: readonly Gap[], windowS: number): Record<string, number> {
  return {
    'freeze-count': freezes.length,
    'freeze-time': seconds(freezes),
    'freeze-rate': (freezes.length * 60) / windowS,
    'freeze-share': seconds(freezes) / windowS,
    'freeze-unfinished': seconds(freezes.filter(({ uncounted }) => uncounted === 'under way')),
    'pause-count': pauses.length,
    'pause-time': seconds(pauses),
    'chromium-rule-freeze-count': freezes.filter(({ uncounted }) => uncounted === null).length,
  };
}

async function browsers(record: TrialRecord): Promise<Record<string, number | null>> {
  const [freezes, pauses] = await Promise.all([
    chromiumCount(record, 'freezeCount'),
    chromiumCount(record, 'pauseCount'),
  ]);
  const time = async (name: string) => growth(await inboundCounter(record, name), record.window);
  return {
    'chromium-freeze-count': freezes,
    'chromium-freeze-time': await time('totalFreezesDuration'),
    'chromium-pause-count': pauses,
    'chromium-pause-time': await time('totalPausesDuration'),
  };
}

export const plugin: MetricPlugin = {
  id: 'freeze',
  title: 'Freezes',
  source: 'W3C webrtc-stats, freezeCount, totalFreezesDuration, pauseCount and totalPausesDuration',
  params: object({}),
  reading: {
    needs: 'A call (`live-clip`, `chromium-call`).',
    cannotTell:
      'What caused a freeze (see the causes below). The counters of Chromium leave out a freeze that is still under ' +
      'way at the end of the window.',
    definitions: {
      'freeze-count':
        'Gaps between presented frames of at least max(3 d, d + 150 ms), d being the mean of the last 30 gaps (W3C ' +
        'webrtc-stats). A freeze under way at the end counts; a gap with a planned pause of the sender does not.',
      'freeze-time': 'Sum of the parts of these freezes inside the window.',
      'freeze-rate': 'Number of these freezes per minute of the window.',
      'freeze-share': 'Frozen time as a share of the window.',
      'freeze-unfinished': 'Part of the freeze time that belongs to a freeze still under way at the end of the window.',
      'pause-count': 'Gaps between presented frames of more than 5 s, without planned pauses of the sender.',
      'pause-time': 'Sum of the parts of these pauses inside the window.',
      'chromium-rule-freeze-count':
        'Freezes by the rule of libwebrtc on the presentation times: the mean includes the gap in question, ' +
        'and pauses and unfinished freezes do not count.',
      'chromium-freeze-count': 'Growth of inbound-rtp `freezeCount` over the window.',
      'chromium-freeze-time': 'Growth of inbound-rtp `totalFreezesDuration`.',
      'chromium-pause-count': 'Growth of inbound-rtp `pauseCount`.',
      'chromium-pause-time': 'Growth of inbound-rtp `totalPausesDuration`.',
    },
  },
  quantities: [
    { id: 'freeze-count', title: 'Freezes (W3C)', unit: '', better: 'lower' },
    { id: 'freeze-time', title: 'Frozen time (W3C)', unit: 's', better: 'lower' },
    { id: 'freeze-rate', title: 'Freezes a minute (W3C)', unit: '1/min', better: 'lower' },
    { id: 'freeze-share', title: 'Frozen share of the window (W3C)', unit: 'ratio', better: 'lower' },
    { id: 'freeze-unfinished', title: 'Freeze under way at the end', unit: 's', better: 'lower' },
    { id: 'pause-count', title: 'Pauses (> 5 s)', unit: '', better: 'lower' },
    { id: 'pause-time', title: 'Paused time (> 5 s)', unit: 's', better: 'lower' },
    {
      id: 'chromium-rule-freeze-count',
      title: "Freezes, Chromium's rule on presented frames",
      unit: '',
      better: 'lower',
    },
    { id: 'chromium-freeze-count', title: "Freezes, Chromium's counter", unit: '', better: 'lower' },
    { id: 'chromium-freeze-time', title: "Frozen time, Chromium's counter", unit: 's', better: 'lower' },
    { id: 'chromium-pause-count', title: "Pauses, Chromium's counter", unit: '', better: 'lower' },
    { id: 'chromium-pause-time', title: "Paused time, Chromium's counter", unit: 's', better: 'lower' },
  ],
  async compute(record) {
    const freezes = await freezesOf(record);
    const own =
      freezes === undefined
        ? Object.fromEntries(Object.keys(ours([], [], 1)).map(id => [id, null]))
        : ours(freezes, await stallsOf(record, pauseMs), record.windowS);
    return { ...own, ...(await browsers(record)) };
  },
};
