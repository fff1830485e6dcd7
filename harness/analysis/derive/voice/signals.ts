/** The voice as it was spoken and as it was heard: samples of 16 kHz and their times. */
import { type ChirpPlace, chirpPlaces, recordedRateHz } from '../../../../core/vocabulary/voice.ts';
import type { VoiceClipLine } from '../../../record/series/voice.clip.ts';
import type { VoiceHeardRecord } from '../../../record/series/voice.heard.ts';
import type { VoiceSentLine } from '../../../record/series/voice.sent.ts';

const perMs = recordedRateHz / 1000;
/** Distance of a part from the end of the one before it at which something is missing between them, ms. */
const jumpMs = 40;

/** Number of parts, with a part itself, that tell its time: ten seconds. */
const partsAhead = 40;

/**
 * Samples that were spoken, in a loop, the time at which the first of them was spoken first, and the chirps in them. A
 * voice that was captured is not repeated, since it is longer than the window.
 */
export type Spoken = { samples: Float32Array; startMs: number; chirps: readonly ChirpPlace[] };

function samplesOf(pcm: string): Int16Array {
  const bytes = Buffer.from(pcm, 'base64');
  return Int16Array.from({ length: bytes.length >> 1 }, (_, i) => bytes.readInt16LE(2 * i));
}

/** Returns what a media server has spoken; undefined if it sent no voice. */
export function spokenOf(clip: readonly VoiceClipLine[], sent: readonly VoiceSentLine[]): Spoken | undefined {
  const [first] = sent;
  if (first === undefined || clip.length === 0) return undefined;
  const parts = clip.map(({ pcm }) => samplesOf(pcm));
  const samples = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    samples.set(part, at);
    at += part.length;
  }
  return { samples, startMs: first.spokenMs - first.clipMs, chirps: chirpPlaces(samples.length / perMs) };
}

/**
 * Samples that a listener heard. Where the browser passed nothing on for playing, there are zeros. `anchors`: numbers of samples
 * whose times are known, ascending; the clock of the samples may differ a little from that of the times.
 */
export type Heard = { samples: Float32Array; anchors: { sample: number; timeMs: number }[] };

/** Returns what was heard; undefined if nothing was. */
export function heardOf(lines: readonly VoiceHeardRecord[]): Heard | undefined {
  if (lines.length === 0) return undefined;
  const parts = lines.map(({ pcm }) => samplesOf(pcm));
  const starts = startTimes(lines, parts);
  const anchors: Heard['anchors'] = [];
  const pieces: Int16Array[] = [];
  let end = 0;
  for (const [k, part] of parts.entries()) {
    const missingMs = k === 0 ? 0 : starts[k]! - starts[k - 1]! - parts[k - 1]!.length / perMs;
    if (missingMs > jumpMs) {
      anchors.push({ sample: end, timeMs: starts[k]! - missingMs });
      pieces.push(new Int16Array(Math.round(missingMs * perMs)));
      end += pieces.at(-1)!.length;
    }
    anchors.push({ sample: end, timeMs: starts[k]! });
    pieces.push(part);
    end += part.length;
  }
  const samples = new Float32Array(end);
  for (let i = 0, at = 0; i < pieces.length; at += pieces[i++]!.length) samples.set(pieces[i]!, at);
  return { samples, anchors };
}

/**
 * Returns the times at which the parts began. A busy page tells a time that is too late, and is on time again later:
 * the earliest time counts that the part or one of those after it tells.
 */
function startTimes(lines: readonly VoiceHeardRecord[], parts: readonly Int16Array[]): number[] {
  let samples = 0;
  /** Begin of the whole by each part, if nothing was missing before the part. */
  const begins = lines.map(({ timeMs }, k) => {
    const beginMs = timeMs - samples / perMs;
    samples += parts[k]!.length;
    return beginMs;
  });
  samples = 0;
  return parts.map((part, k) => {
    const beginMs = Math.min(...begins.slice(k, k + partsAhead));
    const startMs = beginMs + samples / perMs;
    samples += part.length;
    return startMs;
  });
}

/** Converts between numbers and times of heard samples. Calls with ascending values are fast. */
export class HeardClock {
  readonly #anchors: Heard['anchors'];
  #last = 0;

  constructor({ anchors }: Heard) {
    this.#anchors = anchors;
  }

  /** Returns the time at which a sample was heard, Unix ms. */
  timeMs(sample: number): number {
    const { sample: known, timeMs } = this.#before(anchor => anchor.sample <= sample);
    return timeMs + (sample - known) / perMs;
  }

  /** Returns the number of the sample that was heard at a time. */
  sample(timeMs: number): number {
    const known = this.#before(anchor => anchor.timeMs <= timeMs);
    return known.sample + Math.round((timeMs - known.timeMs) * perMs);
  }

  /** Returns the last anchor for which the condition holds; the first if it holds for none. */
  #before(holds: (anchor: Heard['anchors'][number]) => boolean): Heard['anchors'][number] {
    const anchors = this.#anchors;
    if (!holds(anchors[this.#last]!)) this.#last = 0;
    while (this.#last + 1 < anchors.length && holds(anchors[this.#last + 1]!)) this.#last++;
    return anchors[this.#last]!;
  }
}
