/**
 * Rules for stalls by the frame rate of the stream, and the causes of stalls and freezes.
 *
 * The paper counts "any inter-frame arrival interval exceeding 200 ms" (Juntima et al., section 3.2) for a stream of 60
 * fps: 12 frame periods. At 5 fps, with a frame period of 200 ms, this rule would count every frame that is slightly
 * late. So above 25 fps a stall is a gap of more than 200 ms, and below 25 fps a gap of more than five frame periods.
 * In the same way, the limits for smooth motion and for the study's own stalls are 100 ms or three frame periods.
 */
import { formatFrameRate } from '../text/frame-rate.ts';
import { formatDuration } from '../text/units.ts';

/** Longest time without a new frame that is permitted: `leastMs`, or `periods` frame periods if these are longer. */
type Rule = { leastMs: number; periods: number };

export const stallRule: Rule = { leastMs: 200, periods: 5 };
/** Rule for smooth motion. It is also the rule for the study's own stalls if the study sets no threshold. */
export const smoothRule: Rule = { leastMs: 100, periods: 3 };

/** Returns the limit of a rule for a stream, ms. `frameRate`: captured frames per second; undefined if unknown. */
export const ruledMs = ({ leastMs, periods }: Rule, frameRate: number | undefined): number =>
  frameRate === undefined ? leastMs : Math.max(leastMs, (periods * 1000) / frameRate);

/** Returns a rule in words: "200 ms, or 5 frame periods if these are longer". */
export const limitWords = ({ leastMs, periods }: Rule): string =>
  `${leastMs} ms, or ${periods} frame periods if these are longer`;

/** Returns the limit of a rule for a stream in words: "200 ms" or "1 s (5 frame periods at 5 fps)". */
export function ruledWords(rule: Rule, frameRate: number | undefined): string {
  const limitMs = ruledMs(rule, frameRate);
  if (limitMs === rule.leastMs) return formatDuration(limitMs);
  return `${formatDuration(limitMs)} (${rule.periods} frame periods at ${formatFrameRate(frameRate!)} fps)`;
}

/** Causes of stalls in words, by id. They are in the order in which a frame passes the parts that cause them. */
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
