/** What the viewer saw under a condition: motion and stalls, as numbers and as words. */
import { subjectOf } from '../../../core/subject.ts';
import type { Condition } from '../../../harness/experiment/conditions.ts';
import type { ConditionSummary, Summary, SummaryValue } from '../../../harness/summary/summary.ts';
import { formatNumber, formatValue } from '../../format.ts';

/**
 * Motion of a trial is smooth where the harmonic rate is at least this share of the captured rate: it weighs each moment by its
 * rate, so quick frames do not make up for a wait.
 */
const smoothShare = 0.9;
/** And no gap between frames is longer than this, ms: six periods at 60 frames a second. */
const smoothGapMs = 100;

type Motion = {
  rate: SummaryValue;
  harmonic: SummaryValue;
  /** Whether the rate is of presented frames; else of decoded ones. */
  isShown: boolean;
  /** Frames per second that were captured; undefined where the service does not say. */
  captured: number | undefined;
  /** Trials of which it is known whether motion was smooth, and those where it was. */
  judged: number;
  smooth: number;
};

type Trials = Pick<Summary, 'trials'>;

const metricsOf = (id: string, { trials }: Trials) =>
  trials.flatMap(trial => (trial.condition === id && trial.metrics !== null ? [trial.metrics] : []));

/** Values that the trials of a condition have of a quantity. */
const valuesOf = (id: string, quantity: string, summary: Trials) =>
  metricsOf(id, summary).flatMap(metrics => metrics[quantity] ?? []);

function longestGapMs(id: string, summary: Trials): number | null {
  const gaps = valuesOf(id, 'frame-gap-max', summary);
  return gaps.length === 0 ? null : Math.max(...gaps);
}

export function motionOf({ id, metrics }: ConditionSummary, condition: Condition, summary: Summary): Motion {
  const isShown = metrics['frame-rate']!.value !== null;
  const { frameRate } = subjectOf(condition).service.params as { frameRate?: unknown };
  const captured = typeof frameRate === 'number' ? frameRate : undefined;
  const seen = metricsOf(id, summary).flatMap(({ 'frame-rate-harmonic': harmonic, 'frame-gap-max': gapMs }) =>
    captured === undefined || typeof harmonic !== 'number' || typeof gapMs !== 'number' ? [] : [{ harmonic, gapMs }],
  );
  return {
    rate: metrics[isShown ? 'frame-rate' : 'decoded-frame-rate']!,
    harmonic: metrics['frame-rate-harmonic']!,
    isShown,
    captured,
    judged: seen.length,
    smooth: seen.filter(({ harmonic, gapMs }) => harmonic >= smoothShare * captured! && gapMs <= smoothGapMs).length,
  };
}

/** "smooth motion at 58.0 of 60 fps", "smooth motion in 9 of 10 trials, 58.0 of 60 fps"; null where no frame is known. */
export function motionWords({ rate, isShown, captured, judged, smooth }: Motion): string | null {
  if (rate.value === null) return null;
  const text =
    captured === undefined ? formatValue(rate.value, '1/s') : `${formatNumber(rate.value, '1/s')} of ${captured} fps`;
  const fps = isShown ? text : `${text} decoded`;
  if (judged === 0) return fps;
  if (smooth > 0 && smooth < judged) return `smooth motion in ${smooth} of ${judged} trials, ${fps}`;
  return `${smooth === 0 ? 'uneven' : 'smooth'} motion at ${fps}`;
}

/** Stalls of all trials of a condition. `trials`: those that know of their stalls. */
type Stalls = { trials: number; stalled: number; count: number; seconds: number; longestGapMs: number | null };

export function stallsOf({ id }: ConditionSummary, summary: Trials): Stalls {
  const counts = valuesOf(id, 'stall-count', summary);
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  return {
    trials: counts.length,
    stalled: counts.filter(count => count > 0).length,
    count: sum(counts),
    seconds: sum(valuesOf(id, 'stall-time', summary)),
    longestGapMs: longestGapMs(id, summary),
  };
}

/** "2 stalls in 2 of 5 trials, the longest 500 ms"; null where nothing is known. */
export function stallWords({ trials, stalled, count, longestGapMs: longest }: Stalls): string | null {
  if (trials === 0) return null;
  const of = trials === 1 ? '' : ` in ${trials} trials`;
  if (count === 0) return `no stall${of}`;
  if (count === 1) return `1 stall of ${Math.round(longest!)} ms${of}`;
  return `${count} stalls${trials === 1 ? '' : ` in ${stalled} of ${trials} trials`}, the longest ${Math.round(longest!)} ms`;
}
