/** The voice of a trial: its chirps and its gaps. */
import { recordedRateHz } from '../../../../core/vocabulary/voice.ts';
import { voiceClipSeries } from '../../../record/series/voice.clip.ts';
import { voiceHeardSeries } from '../../../record/series/voice.heard.ts';
import { voiceSentSeries } from '../../../record/series/voice.sent.ts';
import { voiceSpokenSeries } from '../../../record/series/voice.spoken.ts';
import type { TrialRecord, Window } from '../../../record/trial-record.ts';
import { onceFor } from '../once.ts';
import { gapsWithoutPauses } from '../presentation.ts';
import { capturedVoice } from './captured.ts';
import { type HeardChirp, heardChirps } from './chirps.ts';
import { type VoiceGap, voiceGaps } from './gaps.ts';
import { heardOf, type Spoken, spokenOf } from './signals.ts';

/** Time by which the record of what was spoken or heard may end before the window, ms. */
const slackMs = 1500;
const perMs = recordedRateHz / 1000;

/**
 * Voice of a trial within its window. `gaps`: all of them outside of the sender's pauses, also the short ones; null if
 * no chirp was heard, so that nothing is known of the delay.
 */
type VoiceReading = { chirps: HeardChirp[]; gaps: VoiceGap[] | null };

const reachesOver = (lines: readonly { timeMs: number }[], { startMs, endMs }: Window) =>
  lines[0]!.timeMs <= startMs + slackMs && lines.at(-1)!.timeMs >= endMs - slackMs;

/**
 * Returns what was spoken, and the part of the window over which it is known. Undefined if the application sends no
 * voice, or if its record does not reach over the window.
 */
async function spokenIn(record: TrialRecord): Promise<{ spoken: Spoken; window: Window } | undefined> {
  const { window } = record;
  const sent = spokenOf(await record.read(voiceClipSeries), await record.read(voiceSentSeries));
  if (sent !== undefined) return { spoken: sent, window };
  const lines = await record.read(voiceSpokenSeries);
  const captured = capturedVoice(lines);
  if (captured === undefined || captured.chirps.length === 0 || !reachesOver(lines, window)) return undefined;
  const endMs = captured.startMs + captured.samples.length / perMs;
  return { spoken: captured, window: { ...window, endMs: Math.min(window.endMs, endMs) } };
}

/**
 * Returns the voice of a trial. Undefined if the application sends none, or if the record of what was spoken or heard
 * does not reach over the window.
 */
export const voiceOf = onceFor(async (record: TrialRecord): Promise<VoiceReading | undefined> => {
  const said = await spokenIn(record);
  const lines = await record.read(voiceHeardSeries);
  const heard = heardOf(lines);
  if (said === undefined || heard === undefined || !reachesOver(lines, record.window)) return undefined;
  const { spoken, window } = said;
  const chirps = heardChirps(spoken, heard, window);
  const [first] = chirps;
  if (first === undefined) return { chirps, gaps: null };
  const gaps = voiceGaps(spoken, heard, window, first.delayMs);
  return {
    chirps,
    gaps: gaps.flatMap(gap => gapsWithoutPauses([gap], record.pauses).map(part => ({ ...gap, ...part }))),
  };
});
