/** A voice as it was spoken, and what listeners hear of it, made by hand. */
import { seededRandom } from '../../../../../../core/random.ts';
import type { VoiceClipLine } from '../../../../../../harness/record/series/voice.clip.ts';
import type { VoiceHeardRecord } from '../../../../../../harness/record/series/voice.heard.ts';
import type { VoiceSentLine } from '../../../../../../harness/record/series/voice.sent.ts';
import { loadVoice, recordedVoice } from '../../../../../../server/media/voice/clip.ts';

export const perMs = 16;
export const clip = recordedVoice(loadVoice(null));

const base64 = (samples: Int16Array) =>
  Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength).toString('base64');

/** The clip as the media server records it. */
export const clipLines: VoiceClipLine[] = Array.from({ length: 20 }, (_, k) => ({
  clipMs: 1000 * k,
  pcm: base64(clip.subarray(16_000 * k, 16_000 * (k + 1))),
}));

/** The voice began at `startMs`. */
export const sentLines = (startMs: number): VoiceSentLine[] => [
  { spokenMs: startMs, clipMs: 0, rtpTimestamp: 7, packets: 1, payloadBytes: 80, latenessMaxMs: 0.2 },
  { spokenMs: startMs + 1000, clipMs: 1000, rtpTimestamp: 48_007, packets: 51, payloadBytes: 4080, latenessMaxMs: 1 },
];

/** Returns which ms of the voice since its begin is heard at a ms since the begin; null for nothing. */
export type Listening = (ms: number) => number | null;

/** A voice with a delay, ms. */
export const delayed =
  (delayMs: number): Listening =>
  ms =>
    ms - delayMs;

/**
 * Samples of what is heard, for `lengthMs` from `fromMs` on. A codec's noise is added: 15 dB below the voice. `filler`:
 * samples for a ms in which nothing of the voice is heard.
 */
export function heardSamples(listening: Listening, fromMs: number, lengthMs: number, filler?: (i: number) => number) {
  const random = seededRandom(5);
  const samples = new Int16Array(lengthMs * perMs);
  for (let ms = 0; ms < lengthMs; ms++) {
    const of = listening(fromMs + ms);
    for (let i = 0; i < perMs; i++) {
      const at = ms * perMs + i;
      const noise = 1000 * (random.next() - 0.5);
      samples[at] =
        of === null
          ? Math.round(filler?.(at) ?? 0)
          : Math.round(clip[(((of * perMs + i) % clip.length) + clip.length) % clip.length]! + noise);
    }
  }
  return samples;
}

/** The clip as a microphone captures it, for `lengthMs` from the place `clipMs` on. */
export function capturedSamples(clipMs: number, lengthMs: number): Int16Array {
  return Int16Array.from({ length: lengthMs * perMs }, (_, i) => clip[(clipMs * perMs + i) % clip.length]!);
}

/** The samples as a page tells them in parts of 250 ms, the first at `startMs`. */
export function heardLines(samples: Int16Array, startMs: number): VoiceHeardRecord[] {
  return Array.from({ length: Math.ceil(samples.length / 4000) }, (_, k) => ({
    timeMs: startMs + 250 * k,
    pcm: base64(samples.subarray(4000 * k, 4000 * (k + 1))),
  }));
}
