/** Metric: interruptions of the voice, found in the samples that the listener heard. */
import { object } from '../../../../core/schema/schema.ts';
import { interruptionMs } from '../../../../core/vocabulary/interruption.ts';
import { voiceOf } from '../../derive/voice/voice.ts';
import type { MetricPlugin } from '../metric.ts';

export const plugin: MetricPlugin = {
  id: 'voice-interruption',
  title: 'Interruptions of the voice',
  source: 'own; length from libwebrtc, neteq/statistics_calculator.cc',
  params: object({}),
  reading: {
    needs:
      '`live-clip` or `chromium-call` with `audio`, or `voice`. It is what the listener heard, compared with what was spoken.',
    cannotTell:
      'How a gap sounds: the browser fills it with a continuation of what came before, which fades within some tens of ' +
      'milliseconds. Losses of single packets, because 20 ms are the length of a block: at 5 % random loss without FEC ' +
      '1.8 to 4.4 % of the voice were in gaps where the browser had concealed 3.9 to 4.6 % (`voice-concealed`; 3 trials ' +
      'of 60 s). With losses in bursts of 12 to 15 packets the two agreed within 5 % (8 trials), and 116 of 122 gaps of ' +
      '150 ms and more were found within 30 ms of place and length.',
    definitions: {
      'voice-interruptions':
        `Gaps of at least ${interruptionMs} ms in the window in which the samples that the browser passed on for ` +
        'playing are not those that were spoken (correlation of blocks of 20 ms below 0.6 at every plausible delay; at ' +
        'the borders of a gap, below 0.5 at the delay before and behind it).',
      'voice-interruption-rate': 'The same, per minute of the window.',
      'voice-interruption-time': 'Sum of the parts of these gaps inside the window.',
      'voice-gap-share': 'Share of the window in gaps of any length.',
    },
  },
  quantities: [
    { id: 'voice-interruptions', title: 'Interruptions of the voice', unit: '', better: 'lower' },
    { id: 'voice-interruption-rate', title: 'Interruptions of the voice a minute', unit: '1/min', better: 'lower' },
    { id: 'voice-interruption-time', title: 'Voice interrupted', unit: 's', better: 'lower' },
    { id: 'voice-gap-share', title: 'Voice in gaps of any length', unit: 'ratio', better: 'lower' },
  ],
  async compute(record) {
    const voice = await voiceOf(record);
    if (voice === undefined) return Object.fromEntries(plugin.quantities.map(({ id }) => [id, null]));
    // no chirp in the whole window: nothing of the voice was heard
    const gaps = voice.gaps ?? [record.window];
    const seconds = (some: typeof gaps) => some.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0) / 1000;
    const interruptions = gaps.filter(({ startMs, endMs }) => endMs - startMs >= interruptionMs);
    return {
      'voice-interruptions': interruptions.length,
      'voice-interruption-rate': (interruptions.length * 60) / record.windowS,
      'voice-interruption-time': seconds(interruptions),
      'voice-gap-share': seconds(gaps) / record.windowS,
    };
  },
};
