/** The voice of a trial: its chirps and its gaps. */
import { voiceClipSeries } from '../../../record/series/voice.clip.ts';
import { voiceHeardSeries } from '../../../record/series/voice.heard.ts';
import { voiceSentSeries } from '../../../record/series/voice.sent.ts';
import type { TrialRecord } from '../../../record/trial-record.ts';
import { onceFor } from '../once.ts';
import { gapsWithoutPauses } from '../presentation.ts';
import { type HeardChirp, heardChirps } from './chirps.ts';
import { type VoiceGap, voiceGaps } from './gaps.ts';
import { heardOf, spokenOf } from './signals.ts';

/** Time by which the record of what was heard may end before the window, ms. */
const slackMs = 1500;

/**
 * Voice of a trial within its window. `gaps`: all of them outside of the sender's pauses, also the short ones; null if
 * no chirp was heard, so that nothing is known of the delay.
 */
type VoiceReading = { chirps: HeardChirp[]; gaps: VoiceGap[] | null };

/**
 * Returns the voice of a trial. Undefined if the application sends none, or if the record of what was heard does not
 * reach over the window.
 */
export const voiceOf = onceFor(async (record: TrialRecord): Promise<VoiceReading | undefined> => {
  const [clip, sent, lines] = [
    await record.read(voiceClipSeries),
    await record.read(voiceSentSeries),
    await record.read(voiceHeardSeries),
  ];
  const [spoken, heard] = [spokenOf(clip, sent), heardOf(lines)];
  if (spoken === undefined || heard === undefined) return undefined;
  const { window } = record;
  if (lines[0]!.timeMs > window.startMs + slackMs || lines.at(-1)!.timeMs < window.endMs - slackMs) return undefined;
  const chirps = heardChirps(spoken, heard, window);
  const [first] = chirps;
  if (first === undefined) return { chirps, gaps: null };
  const gaps = voiceGaps(spoken, heard, window, first.delayMs);
  return {
    chirps,
    gaps: gaps.flatMap(gap => gapsWithoutPauses([gap], record.pauses).map(part => ({ ...gap, ...part }))),
  };
});
