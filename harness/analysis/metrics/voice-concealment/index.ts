/** Metric: what the browser's jitter buffer says of the voice. */
import { object } from '../../../../core/schema/schema.ts';
import { growth } from '../../../../core/stats/counters.ts';
import { statsSeries } from '../../../record/series/stats.ts';
import type { TrialRecord } from '../../../record/trial-record.ts';
import type { MetricPlugin } from '../metric.ts';

/** Returns the growth of a counter of the received voice over the window; null if it is not known. */
async function grown(record: TrialRecord, name: string): Promise<number | null> {
  const readings = (await record.read(statsSeries)).flatMap(({ timeMs, inboundAudio }) => {
    const value = inboundAudio?.[name];
    return typeof value === 'number' ? [{ timeMs, value }] : [];
  });
  return growth(readings, record.window);
}

const over = (part: number | null, whole: number | null) =>
  part === null || whole === null || whole <= 0 ? null : part / whole;

export const plugin: MetricPlugin = {
  id: 'voice-concealment',
  title: 'Concealed voice',
  source: 'W3C webrtc-stats, RTCInboundRtpStreamStats of audio',
  params: object({}),
  reading: {
    needs:
      '`live-clip` or `chromium-call` with `audio`, or `voice`. It is what the browser of the listener says (`getStats`).',
    cannotTell: 'Whether a concealed sample sounded wrong: a short loss may pass unnoticed.',
    definitions: {
      'voice-concealed':
        'Growth of `concealedSamples` over that of `totalSamplesReceived`. Null if the sender paused: the browser counts ' +
        'a pause as concealed.',
      'voice-stretched':
        'Growth of `insertedSamplesForDeceleration` and `removedSamplesForAcceleration` over that of ' +
        '`totalSamplesReceived`.',
      'voice-loss': 'Growth of `packetsLost` over that of `packetsLost` and `packetsReceived`.',
      'voice-jitter-buffer': 'Growth of `jitterBufferDelay` over that of `jitterBufferEmittedCount`.',
    },
  },
  quantities: [
    { id: 'voice-concealed', title: 'Concealed voice, by the browser', unit: 'ratio', better: 'lower' },
    { id: 'voice-stretched', title: 'Voice stretched or shortened, by the browser', unit: 'ratio', better: 'lower' },
    { id: 'voice-loss', title: 'Packets of the voice lost, by the browser', unit: 'ratio', better: 'lower' },
    { id: 'voice-jitter-buffer', title: 'Voice in the jitter buffer, mean', unit: 'ms', better: 'lower' },
  ],
  async compute(record) {
    const of = (name: string) => grown(record, name);
    const samples = await of('totalSamplesReceived');
    const [inserted, removed] = [await of('insertedSamplesForDeceleration'), await of('removedSamplesForAcceleration')];
    const [lost, received] = [await of('packetsLost'), await of('packetsReceived')];
    const waitS = over(await of('jitterBufferDelay'), await of('jitterBufferEmittedCount'));
    return {
      'voice-concealed': record.pauses.length > 0 ? null : over(await of('concealedSamples'), samples),
      'voice-stretched': over(inserted === null || removed === null ? null : inserted + removed, samples),
      'voice-loss': over(lost, lost === null || received === null ? null : lost + received),
      'voice-jitter-buffer': waitS === null ? null : waitS * 1000,
    };
  },
};
