/**
 * Frames that no callback told of, between two callbacks that did: that they were shown is counted (presentedFrames),
 * when is not. One rule for every reader: metrics, lists of stalls, picture quality, the meter of the demonstration.
 *
 * Callbacks run on the page's main thread. While that is punctual a callback misses only what the display shows in the
 * period before it; while it is held up frames are shown without it. So the unseen ones lie in the last part of the
 * time between two callbacks: as long as the page was held up and one period of the display more; anywhere, where
 * nothing tells of the page. A display shows one frame in a period: k unseen ones take k periods, or, where the page
 * was held up for less, all of that last part.
 *
 * From this follow the longest and the shortest that the longest time without a frame can have been. Every frame is
 * placed so that it is the longest: at the end, one in each period of the display. What the metrics say is thus the
 * upper bound, and the lower one stands beside it.
 *
 * Of up to two periods of the display nothing is asked: a browser whose page is punctual misses every fourth callback
 * there (Chromium, two busy cores).
 */

/**
 * Period of a display, ms: of 60 frames a second, as Chromium's own clock has it without a display. Frames of a faster
 * one may lie closer, which would make a gap longer by up to this for each unseen frame.
 */
const displayMs = 1000 / 60;
/** Longer times between two callbacks are looked into, ms; the half is for the jitter of the clock. */
export const longMs = 2.5 * displayMs;

/** Time between two callbacks, and how many frames the second one counts since the first: 1 where none was missed. */
type Between = { fromMs: number; toMs: number; shown: number };

type Shown = {
  /** When the frames were shown that the second callback counts, itself the last, ms, ascending. */
  timesMs: number[];
  /** Bounds of the longest time without a frame, ms: the same where none was unseen. It is the first, and the upper one. */
  leastMs: number;
  mostMs: number;
};

/** `heldUpMs`: what the page was held up at most in that time; undefined where nothing tells. */
export function shownBetween({ fromMs, toMs, shown }: Between, heldUpMs: number | undefined): Shown {
  const wholeMs = toMs - fromMs;
  const unseen = shown - 1;
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
