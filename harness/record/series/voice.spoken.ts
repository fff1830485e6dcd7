/** Series voice.spoken.jsonl: the voice of a sender that is a browser, as its fake microphone captured it. */
import type { VoicePart } from '../../../client/wire.ts';
import type { Series } from '../schema/series.ts';
import { voicePartSeries } from '../schema/voice-parts.ts';

export const voiceSpokenSeries: Series<VoicePart> = voicePartSeries({
  id: 'voice.spoken',
  title: 'The voice as the browser of the speaker captured it',
  when: 'captured',
});
