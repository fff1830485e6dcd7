/**
 * When a wait for the next frame is a stall, by the frame rate of the stream, and what a stall or a freeze can be put
 * down to.
 *
 * The paper counts "any inter-frame arrival interval exceeding 200 ms" (Juntima et al., section 3.2) of a stream of 60
 * fps: 12 frame periods. Of a stream of 5 fps every frame would be a stall. So a stall is more than 200 ms where the
 * period is shorter than a fifth of that, and more than five periods elsewhere. The two are the same at 25 fps. Smooth
 * motion and the study's own stalls have 100 ms or three periods in the same way.
 */
import { formatFrameRate } from '../text/frame-rate.ts';
import { formatDuration } from '../text/units.ts';

/** A limit of the time without a new frame: so many ms, or so many frame periods where these are longer. */
type Rule = { leastMs: number; periods: number };

export const stallRule: Rule = { leastMs: 200, periods: 5 };
/** The longest gap of smooth motion, and the study's own stalls where it chose no threshold. */
export const smoothRule: Rule = { leastMs: 100, periods: 3 };

/** `frameRate`: frames per second that are captured; undefined where that is not known. */
export const ruledMs = ({ leastMs, periods }: Rule, frameRate: number | undefined): number =>
  frameRate === undefined ? leastMs : Math.max(leastMs, (periods * 1000) / frameRate);

/** "200 ms, or 5 frame periods if these are longer". */
export const limitWords = ({ leastMs, periods }: Rule): string =>
  `${leastMs} ms, or ${periods} frame periods if these are longer`;

/** "200 ms", "1 s (5 frame periods at 5 fps)". */
export function ruledWords(rule: Rule, frameRate: number | undefined): string {
  const limitMs = ruledMs(rule, frameRate);
  if (limitMs === rule.leastMs) return formatDuration(limitMs);
  return `${formatDuration(limitMs)} (${rule.periods} frame periods at ${formatFrameRate(frameRate!)} fps)`;
}

/** In the order in which a frame meets them. */
export const causes = {
  'sender-host': 'host: sender starved',
  encoder: 'encoder late',
  'rate-decision': "sender's rate control",
  'rate-change': "change of the link's rate by its schedule or trace",
  outage: 'link outage or loss of capacity',
  queue: 'bottleneck queue',
  'link-host': 'host: bottleneck starved',
  'tunnel-queue': "tunnel's send queue",
  'tunnel-window': "tunnel's congestion window",
  'tunnel-recovery': "tunnel's recovery of losses",
  'overflow-loss': 'overflow loss',
  'aqm-loss': 'AQM loss',
  'random-loss': 'random loss',
  repair: 'waiting for repair',
  'key-frame': 'waiting for a key frame',
  'receiver-host': 'host: receiver starved',
  browser: 'browser',
  unknown: 'not known',
} as const;

export type Cause = keyof typeof causes;

export const causeIds = Object.keys(causes) as Cause[];
