/**
 * Frames that no callback told of, between two callbacks that did: that they were shown is counted (presentedFrames),
 * when is not.
 *
 * Callbacks run on the page's main thread. While that is punctual a callback misses only what the display shows in the
 * period before it; while it is held up frames are shown without it. So the unseen ones lie in the last part of the
 * time between two callbacks: as long as the page was held up and one period of the display more. Within it each has a
 * period of the display, as late as they fit: the longest time without a frame that this allows. Of up to two periods
 * of the display nothing is asked: a browser whose page is punctual misses every fourth callback there (Chromium, two
 * busy cores).
 */

/** Period of a display, ms: of 60 frames a second, as Chromium's own clock has it without a display. */
const displayMs = 1000 / 60;
/** Longer times between two callbacks are looked into, ms; the half is for the jitter of the clock. */
export const longMs = 2.5 * displayMs;

/** Time between two callbacks, and how many frames the second one counts since the first: 1 where none was missed. */
type Between = { fromMs: number; toMs: number; shown: number };

/**
 * In how much of that time, from its end, frames can have been shown unseen, ms. `heldUpMs`: what the page was held up
 * at most; undefined where nothing tells.
 */
function openMs({ fromMs, toMs }: Between, heldUpMs: number | undefined): number {
  const wholeMs = toMs - fromMs;
  return heldUpMs === undefined || wholeMs <= longMs ? wholeMs : Math.min(wholeMs, heldUpMs + displayMs);
}

/** When the frames were shown that the second callback counts, itself the last, ms, ascending. */
export function timesShown(between: Between, heldUpMs: number | undefined): number[] {
  const { fromMs, toMs, shown } = between;
  const unseen = shown - 1;
  const wholeMs = toMs - fromMs;
  // where nothing tells of the page they are spread evenly
  if (heldUpMs === undefined || wholeMs <= longMs)
    return Array.from({ length: shown }, (_, i) => fromMs + (wholeMs * (i + 1)) / shown);
  const stepMs =
    unseen === 0 ? 0 : Math.min(openMs(between, heldUpMs), unseen * displayMs, (wholeMs * unseen) / shown) / unseen;
  return Array.from({ length: shown }, (_, i) => toMs - (unseen - i) * stepMs);
}

/**
 * The shortest and the longest that the longest time without a frame can have been, ms: the same where none was unseen.
 */
export function gapBounds(between: Between, heldUpMs: number | undefined): { leastMs: number; mostMs: number } {
  const wholeMs = between.toMs - between.fromMs;
  return {
    leastMs: between.shown === 1 ? wholeMs : Math.max(wholeMs / between.shown, wholeMs - openMs(between, heldUpMs)),
    mostMs: wholeMs,
  };
}
