/**
 * Frames without their own callback, between two callbacks. Their number is known (presentedFrames), their times are
 * not. All readers use this rule: metrics, lists of stalls, picture quality, the meter of the demonstration.
 *
 * Callbacks run on the page's main thread. While the thread is punctual, only frames shown in the display period before
 * a callback can lack one. While it is held up, any number of frames can. So the frames without a callback lie in the
 * last part of the time between two callbacks, which is as long as the hold-up plus one display period. Without a
 * measurement of the page they may lie anywhere. A display shows one frame per period: k such frames take k periods,
 * or, if the page was held up for less, the whole last part.
 *
 * This gives an upper and a lower bound of the longest time without a frame. Each frame is placed so that this time is
 * longest: at the end, one in each display period. The metrics therefore report the upper bound together with the lower
 * one.
 *
 * Times of up to two display periods are not examined, because a browser with a punctual page misses every fourth
 * callback there (Chromium, two busy cores).
 */
import { CoexistError } from '../../../core/errors.ts';
import { displayHz } from '../../../core/text/frame-rate.ts';

/**
 * Period of a display, ms: 60 frames a second, which is also Chromium's clock without a display. Frames of a faster
 * display may lie closer, which would lengthen a gap by up to this for each unseen frame.
 */
const displayMs = 1000 / displayHz;
/** Only longer times between two callbacks are examined, ms. The half period allows for clock jitter. */
export const longMs = 2.5 * displayMs;

/**
 * Limits above the frame count of any browser, per ms and at once. A record beyond them is damaged, and its frames
 * would not fit into memory.
 */
const most = { eachMs: 1, atOnce: 1000 } as const;

/** Time between two callbacks. `shown`: frames that the second one counts since the first; 1 if none was missed. */
type Between = { fromMs: number; toMs: number; shown: number };

type Shown = {
  /**
   * Presentation times of the frames that the second callback counts, ms, ascending. The last is that of the callback.
   */
  timesMs: number[];
  /** Bounds of the longest time without a frame, ms, which is the first one. They are equal if no frame was unseen. */
  leastMs: number;
  mostMs: number;
};

/**
 * Places the unseen frames. `heldUpMs`: longest hold-up of the page in that time; undefined if unknown. Throws
 * `bad-run-folder` if no browser shows that many frames.
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
  // length of the last part of the time, in which unseen frames can have been shown
  const openMs = heldUpMs === undefined || wholeMs <= longMs ? wholeMs : Math.min(wholeMs, heldUpMs + displayMs);
  // unseen frames take a display period each, as far as there is room
  const takenMs = Math.min(unseen * displayMs, openMs, wholeMs - evenMs);
  return {
    timesMs: Array.from({ length: shown }, (_, i) => toMs - ((unseen - i) * takenMs) / unseen),
    leastMs: Math.max(evenMs, wholeMs - openMs),
    mostMs: wholeMs - takenMs,
  };
}
