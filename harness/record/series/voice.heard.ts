/** Series voice.heard.jsonl: the voice as the browser of the listener passed it on for playing. */
import type { VoicePart } from '../../../client/wire.ts';
import type { RecordOf, Series } from '../schema/series.ts';
import { voicePartSeries } from '../schema/voice-parts.ts';

export const voiceHeardSeries: Series<VoicePart> = voicePartSeries({
  id: 'voice.heard',
  title: 'The voice as the browser of the listener passed it on for playing',
  when: 'passed on for playing',
});

export type VoiceHeardRecord = RecordOf<typeof voiceHeardSeries>;
