/**
 * Frames without a callback (unseen frames), between two frames with a callback. The number of unseen frames is known
 * (presentedFrames), but not their times. All readers use this rule: metrics, lists of stalls, picture quality, the
 * meter of the demonstration.
 *
 * Callbacks run on the page's main thread. While the thread is punctual, only frames shown in the display period before
 * a callback can lack their own callback. While the thread is held up, any number of frames can lack theirs. The unseen
 * frames therefore lie in the last part of the time between two callbacks. This part is as long as the hold-up plus one
 * display period. Without a measurement of the page, the unseen frames may lie anywhere between the callbacks. A
 * display shows one frame per period: k such frames take k periods, or, if the page was held up for less, the whole
 * last part.
 *
 * This rule gives an upper and a lower bound of the longest time without a frame. The unseen frames are placed so that
 * this time is longest: at the end, one in each display period. The metrics therefore report the upper bound, together
 * with the lower bound.
 *
 * Times of up to two display periods between callbacks are not examined, because even a browser with a punctual page
 * leaves out every fourth callback in them (Chromium, two busy cores).
 */
import { CoexistError } from '../../../core/errors.ts';
import { displayHz } from '../../../core/text/frame-rate.ts';

/**
 * Period of a display, ms: 60 frames a second, which is also Chromium's clock without a display. Frames of a faster
 * display may lie closer together. A gap would then be longer by up to one period for each unseen frame.
 */
const displayMs = 1000 / displayHz;
/**
 * Shortest time between two callbacks in which unseen frames are placed by this rule, ms. The half period allows for
 * clock jitter.
 */
export const longMs = 2.5 * displayMs;

/**
 * Limits above the frame count of any browser: frames per ms, and frames at once. A record with more frames is damaged,
 * and its frames would not fit into memory.
 */
const most = { eachMs: 1, atOnce: 1000 } as const;

/**
 * Time between two callbacks. `shown`: number of frames that the second callback counts since the first one; 1 if no
 * frame was unseen.
 */
type Between = { fromMs: number; toMs: number; shown: number };

type Shown = {
  /**
   * Presentation times of the frames that the second callback counts, ms, ascending. The last one is the time of the
   * frame with the callback.
   */
  timesMs: number[];
  /**
   * Bounds of the time before the first of these frames, ms, which is the longest time without a frame. The bounds are
   * equal if no frame was unseen.
   */
  leastMs: number;
  mostMs: number;
};

/**
 * Places the unseen frames between two callbacks. `heldUpMs`: longest hold-up of the page in that time; undefined if
 * unknown. Throws `bad-run-folder` if `shown` is more than any browser shows in that time.
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
  // length of the last part of the time, in which the unseen frames lie
  const openMs = heldUpMs === undefined || wholeMs <= longMs ? wholeMs : Math.min(wholeMs, heldUpMs + displayMs);
  // each unseen frame takes one display period, as far as there is room
  const takenMs = Math.min(unseen * displayMs, openMs, wholeMs - evenMs);
  return {
    timesMs: Array.from({ length: shown }, (_, i) => toMs - ((unseen - i) * takenMs) / unseen),
    leastMs: Math.max(evenMs, wholeMs - openMs),
    mostMs: wholeMs - takenMs,
  };
}
