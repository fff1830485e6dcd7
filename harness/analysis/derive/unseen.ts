/**
 * Frames without a callback of their own, between two callbacks: their number is known (presentedFrames), their times
 * are not. All readers use this one rule: metrics, lists of stalls, picture quality, the meter of the demonstration.
 *
 * Callbacks run on the page's main thread. While the thread is punctual, only frames shown in the display period before
 * a callback can lack one; while it is held up, any number of frames can. So the frames without a callback lie in the
 * last part of the time between two callbacks, which is as long as the hold-up plus one display period. Without a
 * measurement of the page they may lie anywhere. A display shows one frame per period: k such frames take k periods,
 * or, if the page was held up for less, the whole last part.
 *
 * This gives an upper and a lower bound of the longest time without a frame. Each frame is placed so that this time is
 * longest: at the end, one in each display period. The metrics therefore give the upper bound, with the lower one
 * beside it.
 *
 * Times of up to two display periods are not examined: there a browser whose page is punctual misses every fourth
 * callback (Chromium, two busy cores).
 */
import { CoexistError } from '../../../core/errors.ts';
import { displayHz } from '../../../core/text/frame-rate.ts';

/**
 * Period of a display, ms: of 60 frames a second, as Chromium's own clock has it without a display. Frames of a faster
 * one may lie closer, which would make a gap longer by up to this for each unseen frame.
 */
const displayMs = 1000 / displayHz;
/** Longer times between two callbacks are looked into, ms; the half is for the jitter of the clock. */
export const longMs = 2.5 * displayMs;

/** More frames than any browser shows, each ms and at once: the record is damaged, and memory has no room for them. */
const most = { eachMs: 1, atOnce: 1000 } as const;

/** Time between two callbacks, and how many frames the second one counts since the first: 1 where none was missed. */
type Between = { fromMs: number; toMs: number; shown: number };

type Shown = {
  /** When the frames were shown that the second callback counts, itself the last, ms, ascending. */
  timesMs: number[];
  /** Bounds of the longest time without a frame, ms: the same where none was unseen. It is the first, and the upper one. */
  leastMs: number;
  mostMs: number;
};

/**
 * `heldUpMs`: what the page was held up at most in that time; undefined where nothing tells. Throws `bad-run-folder`
 * where no browser shows so many frames.
 */
export function shownBetween({ fromMs, toMs, shown }: Between, heldUpMs: number | undefined): Shown {
  const wholeMs = toMs - fromMs;
  const unseen = shown - 1;
  if (unseen > most.eachMs * wholeMs + most.atOnce)
    throw new CoexistError(
      'bad-run-folder',
      `the page reports ${shown} frames in ${wholeMs} ms, more than a browser can show`,
      { hint: "remove the trial's folder and run it again with --resume" },
    );
  if (unseen === 0) return { timesMs: [toMs], leastMs: wholeMs, mostMs: wholeMs };
  const evenMs = wholeMs / shown;
  // in how much of the time, from its end, frames can have been shown unseen
  const openMs = heldUpMs === undefined || wholeMs <= longMs ? wholeMs : Math.min(wholeMs, heldUpMs + displayMs);
  // what the unseen ones take at least, but no more than there is room for
  const takenMs = Math.min(unseen * displayMs, openMs, wholeMs - evenMs);
  return {
    timesMs: Array.from({ length: shown }, (_, i) => toMs - ((unseen - i) * takenMs) / unseen),
    leastMs: Math.max(evenMs, wholeMs - openMs),
    mostMs: wholeMs - takenMs,
  };
}
