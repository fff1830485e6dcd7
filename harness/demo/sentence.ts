/**
 * Sentence on the stream as the viewer sees it now, and its rating by a colour. The page shows the rule of the rating,
 * `ruleWords`.
 *
 * A round trip of more than 400 ms is outside the range of ITU-T G.1072; a round trip of more than 190 ms is too late
 * for a conversation (lateRoundTripMs). Bits per pixel are the received media over the shown pixels. They stand for the
 * quality of the picture, which can be measured only by comparison with the clip (service.pictureQuality). Moving video
 * of 720p60 has 0.02 bits per pixel at 1.1 Mbit/s, and 0.05 at 2.8 Mbit/s.
 */

import { interruptionMs } from '../../core/vocabulary/interruption.ts';
import { lateRoundTripMs } from '../../core/vocabulary/late-round-trip.ts';
import { limitWords, ruledMs, stallRule } from '../../core/vocabulary/stalls.ts';

export type View = {
  /** True if the connection has failed for good. */
  lost: boolean;
  /** Time since the last frame, ms; null before the first frame. */
  sinceLastMs: number | null;
  framesPerSecond: number;
  /** Number of frames that the sender sends per second. */
  frameRate: number;
  /** Time since the last stall ended, ms; null if there was no stall. */
  sinceStallMs: number | null;
  /** Time since the voice was interrupted, ms; null if it was not, or if there is no voice. */
  sinceInterruptionMs: number | null;
  /** Bits of received media per shown pixel; null if unknown. */
  bitsPerPixel: number | null;
  /** Round trip of the newest probe, ms; null if no probe came back lately; undefined if no probes are sent. */
  rttMs?: number | null;
};

/** Rating of the stream. `machine`: the stream is disturbed, but by this machine and not by the link. */
type Rating = 'good' | 'strained' | 'bad' | 'machine';

const recentMs = 5000;
const limits = {
  frames: { strained: 0.9, bad: 0.5 },
  rttMs: { strained: lateRoundTripMs, bad: 400 },
  bitsPerPixel: { strained: 0.05, bad: 0.02 },
} as const;

/** Rule by which the colour and the words of the sentence are chosen. */
export const ruleWords: readonly string[] = [
  'Red (bad): the connection is lost or no probe comes back; the video stalls for more than ' +
    `${limitWords(stallRule)}, or did so in the last ${recentMs / 1000} s; the voice broke off for ${interruptionMs} ms ` +
    `or more in the last ${recentMs / 1000} s; fewer than ${limits.frames.bad * 100} % of ` +
    `the sent frames are shown ("very jerky"); the round trip takes more than ${limits.rttMs.bad} ms ("very late"); ` +
    `or less than ${limits.bitsPerPixel.bad} bits arrive for each pixel shown ("blurred").`,
  `Orange (strained): fewer than ${limits.frames.strained * 100} % of the sent frames ("jerky"), ` +
    `more than ${limits.rttMs.strained} ms ("late"), or less than ${limits.bitsPerPixel.strained} bits a pixel ` +
    '("soft").',
  'Grey (this machine): one of these, and the machine is the cause: it was late just now, and the link is idle, or the ' +
    'stream past the link suffers as well.',
  'Green (good): none of these. The worst of them decides; bits a pixel stand for the quality of the picture, ' +
    'which is not compared with the clip here.',
];

/** Evidence on the cause of a disturbance. */
export type Surroundings = {
  /** True if the machine was late within the last seconds (harness/demo/host-notice.ts). */
  isMachineLate: boolean;
  /** Stream as seen by the viewer past the link, which only the machine can disturb. */
  beside: View;
  /** True if the link has an effect on packets: they wait in the queue, or are lost at random. */
  isLinkActive: boolean;
};

type Trouble = { rating: 'strained' | 'bad'; words: string };

const below = (value: number, limit: { strained: number; bad: number }, strained: string, bad: string): Trouble[] =>
  value < limit.bad
    ? [{ rating: 'bad', words: bad }]
    : value < limit.strained
      ? [{ rating: 'strained', words: strained }]
      : [];

export function isStalled({ sinceLastMs, frameRate }: Pick<View, 'sinceLastMs' | 'frameRate'>): boolean {
  return sinceLastMs !== null && sinceLastMs > ruledMs(stallRule, frameRate);
}

/** Returns the faults of a stream that is not stalled. */
function troubles(view: View): Trouble[] {
  const { framesPerSecond, frameRate, sinceStallMs, sinceInterruptionMs, bitsPerPixel, rttMs } = view;
  return [
    ...(sinceStallMs !== null && sinceStallMs <= recentMs
      ? [{ rating: 'bad', words: 'it just stalled' } as const]
      : []),
    ...(sinceInterruptionMs !== null && sinceInterruptionMs <= recentMs
      ? [{ rating: 'bad', words: 'the voice just broke off' } as const]
      : []),
    ...below(framesPerSecond / frameRate, limits.frames, 'jerky', 'very jerky'),
    ...(bitsPerPixel === null ? [] : below(bitsPerPixel, limits.bitsPerPixel, 'soft', 'blurred')),
    ...(rttMs == null
      ? []
      : below(-rttMs, { strained: -limits.rttMs.strained, bad: -limits.rttMs.bad }, 'late', 'very late')),
  ];
}

/**
 * Returns true if the machine is the cause of a disturbance. A late round trip counts as caused by the link, because
 * probes hardly need the machine.
 */
function isMachines(view: View, { isMachineLate, beside, isLinkActive }: Surroundings): boolean {
  if (!isMachineLate || view.lost || view.sinceLastMs === null) return false;
  if (view.rttMs === null || (view.rttMs !== undefined && view.rttMs > limits.rttMs.strained)) return false;
  return !isLinkActive || ownRating(beside) !== 'good';
}

/** Returns the rating of the stream. Without `around` the link counts as the cause of every disturbance. */
export function ratingOf(view: View, around?: Surroundings): Rating {
  const own = ownRating(view);
  return own !== 'good' && around !== undefined && isMachines(view, around) ? 'machine' : own;
}

function ownRating(view: View): 'good' | Trouble['rating'] {
  if (view.lost || view.sinceLastMs === null || isStalled(view) || view.rttMs === null) return 'bad';
  const found = troubles(view);
  return found.some(({ rating }) => rating === 'bad') ? 'bad' : found.length > 0 ? 'strained' : 'good';
}

function roundTripWords(rttMs: View['rttMs']): string {
  if (rttMs === undefined) return '';
  if (rttMs === null) return ', no probe comes back';
  return `, ${rttMs.toFixed(rttMs < 1 ? 2 : rttMs < 100 ? 1 : 0)} ms round trip`;
}

export function sentenceOf(view: View, around?: Surroundings): string {
  const own = ownSentence(view);
  return ratingOf(view, around) === 'machine' ? `This machine, not the link: ${lowered(own)}` : own;
}

const lowered = (text: string) => `${text.charAt(0).toLowerCase()}${text.slice(1)}`;

function ownSentence(view: View): string {
  const { lost, sinceLastMs, framesPerSecond, rttMs } = view;
  if (lost) return 'The connection has failed';
  if (sinceLastMs === null) return 'No frame yet';
  if (isStalled(view)) return `Stalled for ${(sinceLastMs / 1000).toFixed(1)} s`;
  const wrong = troubles(view)
    .map(({ words }) => words)
    .join(', ');
  const frames = `${framesPerSecond.toFixed(1)} frames per second${roundTripWords(rttMs)}`;
  return wrong === '' ? frames : `${wrong.charAt(0).toUpperCase()}${wrong.slice(1)}: ${frames}`;
}
