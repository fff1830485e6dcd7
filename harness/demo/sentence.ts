/**
 * What the viewer sees now: one sentence, and the colour that rates it. `ruleWords` is the rule; the page shows it.
 *
 * A round trip of more than 400 ms is more than ITU-T G.1072 knows, one over 190 ms too late for a conversation
 * (lateRoundTripMs). Bits for a pixel are the received media over what is shown: they stand for the frame's quality,
 * which needs the clip to be measured (service.pictureQuality); 720p60 in motion has 0.02 at 1.1 Mbit/s and 0.05 at 2.8.
 */
import { lateRoundTripMs } from '../../core/vocabulary/late-round-trip.ts';
import { limitWords, ruledMs, stallRule } from '../../core/vocabulary/stalls.ts';

export type View = {
  /** The connection has failed for good. */
  lost: boolean;
  /** Null before the first frame. */
  sinceLastMs: number | null;
  framesPerSecond: number;
  /** Frames that are sent, a second. */
  frameRate: number;
  /** How long ago the last stall ended; null where there was none. */
  sinceStallMs: number | null;
  /** Received media for each pixel shown; null where that is not known. */
  bitsPerPixel: number | null;
  /** Null where no probe came back lately; left out where there are none. */
  rttMs?: number | null;
};

/** `machine`: something is wrong, and this machine is the cause, not the link. */
type Rating = 'good' | 'strained' | 'bad' | 'machine';

const recentMs = 5000;
const limits = {
  frames: { strained: 0.9, bad: 0.5 },
  rttMs: { strained: lateRoundTripMs, bad: 400 },
  bitsPerPixel: { strained: 0.05, bad: 0.02 },
} as const;

/** The rule of the colour and of the sentence's words. */
export const ruleWords: readonly string[] = [
  'Red (bad): the connection is lost or no probe comes back; the video stalls for more than ' +
    `${limitWords(stallRule)}, or did so in the last ${recentMs / 1000} s; fewer than ${limits.frames.bad * 100} % of ` +
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

/** What is known of the causes, beside the view itself. */
export type Surroundings = {
  /** The machine was found to be late just now (harness/demo/host-notice.ts). */
  isMachineLate: boolean;
  /** What the viewer past the link sees, which only the machine can spoil. */
  beside: View;
  /** The link does something to packets: they wait in the queue, or are lost by chance. */
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

/** What is wrong with a frame that moves. */
function troubles({ framesPerSecond, frameRate, sinceStallMs, bitsPerPixel, rttMs }: View): Trouble[] {
  return [
    ...(sinceStallMs !== null && sinceStallMs <= recentMs
      ? [{ rating: 'bad', words: 'it just stalled' } as const]
      : []),
    ...below(framesPerSecond / frameRate, limits.frames, 'jerky', 'very jerky'),
    ...(bitsPerPixel === null ? [] : below(bitsPerPixel, limits.bitsPerPixel, 'soft', 'blurred')),
    ...(rttMs == null
      ? []
      : below(-rttMs, { strained: -limits.rttMs.strained, bad: -limits.rttMs.bad }, 'late', 'very late')),
  ];
}

/** Whether the machine is the cause of what is wrong. A late round trip is the link's: probes hardly need the machine. */
function isMachines(view: View, { isMachineLate, beside, isLinkActive }: Surroundings): boolean {
  if (!isMachineLate || view.lost || view.sinceLastMs === null) return false;
  if (view.rttMs === null || (view.rttMs !== undefined && view.rttMs > limits.rttMs.strained)) return false;
  return !isLinkActive || ownRating(beside) !== 'good';
}

/** `around`: without it the link is blamed. */
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
