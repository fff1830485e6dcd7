/** Motion and stalls that the viewer saw in a condition, as numbers and as text. */
import { displayHz, formatFrameRate } from '../../../core/text/frame-rate.ts';
import { gapLimits } from '../../../core/vocabulary/measure.ts';
import { subjectOf } from '../../../core/vocabulary/subject.ts';
import type { ConditionSummary, Summary } from '../../../harness/analysis/summary/summary.ts';
import type { Condition } from '../../../harness/definition/conditions.ts';
import { shownMetrics, shownValue } from '../../disturbed.ts';
import { formatNumber, formatValue } from '../../format.ts';
import { smoothLimitWords } from '../../gap-words.ts';
import { affectedWords, type OverTrials, overTrials } from '../../over-trials.ts';
import type { ReportData } from '../../report.ts';

/**
 * Least harmonic frame rate of smooth motion, as a part of the rate that the display can show. Smooth motion also has
 * no gap above a limit. The harmonic rate weighs each moment by its rate, so a quick series of frames does not make up
 * for a gap.
 */
const smoothShare = 0.9;
/** Factor for the rate of the usual display. A measured rate above the product shows that the display is faster. */
const fasterDisplay = 1.05;

/** Returns the definition of smooth motion, for captions. */
export const smoothWords = (plan: ReportData['plan']) =>
  `The motion of a trial is smooth if the harmonic frame rate is at least ${smoothShare * 100} % of the captured rate, ` +
  `no gap is longer than ${smoothLimitWords(plan)}, no gap is a stall, and the picture never stands still while frames ` +
  'come. Otherwise it is uneven.';

type Motion = {
  /**
   * Frame rate. `rateId`: its metric. `rate`: the median, or the value of the disturbed try that is shown. `trials`:
   * number of trials with a value.
   */
  rateId: string;
  rate: number | null;
  trials: number;
  /** True if the rate counts presented frames, false if it counts decoded frames. */
  isShown: boolean;
  /** Number of captured frames per second. Undefined if the service does not state it. */
  captured: number | undefined;
  /** Number of captured frames per second that the display can show. Undefined if `captured` is undefined. */
  due: number | undefined;
  /** Number of trials in which the evenness of motion is known, and number of these trials with smooth motion. */
  judged: number;
  smooth: number;
  /**
   * Values of trials without smooth motion. `slow`: harmonic rates below the limit, 1/s. `gapped`: longest gaps above
   * the limit, ms. `still`: times of a still picture, s.
   */
  slow: number[];
  gapped: number[];
  still: number[];
};

type Trials = Pick<Summary, 'trials' | 'conditions'>;

const metricsOf = (id: string, summary: Trials) =>
  shownMetrics(summary.conditions.find(condition => condition.id === id)!, summary);

/** Lower and upper bound of the longest gap over all trials, ms. */
type Longest = { leastMs: number; mostMs: number };

function longestGap(id: string, summary: Trials): Longest | null {
  return metricsOf(id, summary).reduce<Longest | null>((longest, metrics) => {
    const { 'frame-gap-max': mostMs, 'frame-gap-max-least': leastMs } = metrics;
    if (typeof mostMs !== 'number' || (longest !== null && mostMs <= longest.mostMs)) return longest;
    return { mostMs, leastMs: leastMs ?? mostMs };
  }, null);
}

/**
 * Formats a length: "218 to 233 ms", or one number if both bounds are equal. `text` formats milliseconds without a
 * unit.
 */
export function lengthWords({ leastMs, mostMs }: Longest, text: (valueMs: number) => string): string {
  const [least, most] = [text(leastMs), text(mostMs)];
  return least === most ? `${most} ms` : `${least} to ${most} ms`;
}

/** Returns the rate of frames that the display can show: at most 60 Hz, unless a higher rate was measured. */
const dueOf = (captured: number | undefined, rate: number | null) =>
  captured === undefined || captured <= displayHz || (rate !== null && rate > fasterDisplay * displayHz)
    ? captured
    : displayHz;

export function motionOf(
  own: ConditionSummary,
  condition: Condition,
  { plan, summary }: Pick<ReportData, 'plan' | 'summary'>,
): Motion {
  const isShown = shownValue(own, 'frame-rate') !== null;
  const rateId = isShown ? 'frame-rate' : 'decoded-frame-rate';
  const rate = shownValue(own, rateId);
  const captured = subjectOf(condition).frameRate;
  const due = isShown ? dueOf(captured, rate) : captured;
  const { stallMs, smoothGapMs } = gapLimits(plan.measure, captured);
  const seen = metricsOf(own.id, summary).flatMap(metrics => {
    const { 'frame-rate-harmonic': harmonic, 'frame-gap-max': gapMs, 'still-picture-time': stillS } = metrics;
    return due === undefined || typeof harmonic !== 'number' || typeof gapMs !== 'number'
      ? []
      : [{ harmonic, gapMs, stillS: stillS ?? 0 }];
  });
  const isSlow = (harmonic: number) => harmonic < smoothShare * due!;
  const isGapped = (gapMs: number) => gapMs > Math.min(stallMs, smoothGapMs);
  return {
    rateId,
    rate,
    trials: own.metrics[rateId]!.n,
    isShown,
    captured,
    due,
    judged: seen.length,
    smooth: seen.filter(({ harmonic, gapMs, stillS }) => !isSlow(harmonic) && !isGapped(gapMs) && stillS === 0).length,
    slow: seen.map(({ harmonic }) => harmonic).filter(isSlow),
    gapped: seen.map(({ gapMs }) => gapMs).filter(isGapped),
    still: seen.map(({ stillS }) => stillS).filter(seconds => seconds > 0),
  };
}

/** Formats a frame rate: "58.0 of 60 fps", "60.0 of the 60 fps that the display shows (120 captured)". */
function rateWords(rate: number, { captured, due, isShown }: Motion): string {
  const decoded = isShown ? '' : ' decoded';
  if (captured === undefined || due === undefined) return `${formatValue(rate, '1/s')}${decoded}`;
  const [shown, of] = [formatNumber(rate, '1/s'), formatFrameRate(captured)];
  return due === captured
    ? `${shown} of ${of} fps${decoded}`
    : `${shown} of the ${due} fps that the display shows (${of} captured)`;
}

/** Explains why motion was not smooth in some trials: "harmonic rate 52.3 fps in 1, a gap of up to 133 ms in 2". */
function unevenWords({ slow, gapped, still }: Motion): string {
  const words: string[] = [];
  if (slow.length > 0) {
    const lowest = formatValue(Math.min(...slow), '1/s');
    words.push(`harmonic rate ${slow.length === 1 ? '' : 'down to '}${lowest} in ${slow.length}`);
  }
  if (gapped.length > 0) {
    const longestMs = Math.round(Math.max(...gapped));
    words.push(`a gap of ${gapped.length === 1 ? '' : 'up to '}${longestMs} ms in ${gapped.length}`);
  }
  if (still.length > 0) words.push(`a still picture in ${still.length}`);
  return words.join(', ');
}

/**
 * Describes the motion in a condition: "smooth motion at 58.0 of 60 fps", "smooth motion in 9 of 10 trials (a gap of
 * 133 ms in 1), median 58.0 of 60 fps". Null if no frame rate is known.
 */
export function motionWords(motion: Motion): string | null {
  const { rate, trials, judged, smooth } = motion;
  if (rate === null) return null;
  const fps = `${trials > 1 ? 'median ' : ''}${rateWords(rate, motion)}`;
  if (judged === 0) return fps;
  if (smooth > 0 && smooth < judged)
    return `smooth motion in ${smooth} of ${judged} trials (${unevenWords(motion)}), ${fps}`;
  return `${smooth === 0 ? 'uneven' : 'smooth'} motion${judged > 1 ? ` in ${judged} trials,` : ' at'} ${fps}`;
}

/**
 * Stalls in all trials of a condition. `trials`: number of trials whose stalls are known. `affected`: number of those
 * with a stall.
 */
type Stalls = Omit<OverTrials, 'sum'> & { count: number; seconds: number; longest: Longest | null };

export function stallsOf(id: string, summary: Trials): Stalls {
  const { sum: count, ...trials } = overTrials(id, 'stall-count', summary);
  const { sum: seconds } = overTrials(id, 'stall-time', summary);
  return { ...trials, count, seconds, longest: longestGap(id, summary) };
}

/** Describes stalls: "2 stalls in 2 of 5 trials, the longest 500 ms". Null if the stalls of no trial are known. */
export function stallWords(stalls: Stalls): string | null {
  const { trials, count, longest } = stalls;
  if (trials === 0) return null;
  const of = trials === 1 ? '' : ` in ${trials} trials`;
  if (count === 0) return `no stall${of}`;
  const length = lengthWords(longest!, valueMs => String(Math.round(valueMs)));
  if (count === 1) return `1 stall of ${length}${of}`;
  return `${count} stalls${affectedWords(stalls)}, the longest ${length}`;
}
