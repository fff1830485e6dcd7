/**
 * Describes the limits that a study applies to times without a new frame. The limits are set by the study, or follow
 * from the frame rates of its conditions by the rules of core/vocabulary/stalls.ts.
 */
import { displayHz, formatFrameRate } from '../core/text/frame-rate.ts';
import { listed } from '../core/text/listed.ts';
import { formatDuration } from '../core/text/units.ts';
import { ruledMs, ruledWords, smoothRule, stallRule } from '../core/vocabulary/stalls.ts';
import { subjectOf } from '../core/vocabulary/subject.ts';
import type { Plan } from '../harness/definition/plan.ts';

type Studied = Pick<Plan, 'conditions' | 'measure'>;
type Rule = typeof stallRule;

const ratesOf = ({ conditions }: Studied) => conditions.map(condition => subjectOf(condition).frameRate);

function words(setMs: number | null | undefined, setting: string, rule: Rule, plan: Studied): string {
  if (setMs != null) return `${formatDuration(setMs)} (measure.${setting})`;
  const rates = [...new Set(ratesOf(plan))].sort((a, b) => (b ?? Infinity) - (a ?? Infinity));
  const limits = [...new Set(rates.map(rate => ruledMs(rule, rate)))];
  if (limits.length === 1) return ruledWords(rule, rates[0]);
  const longer = rates.filter(rate => ruledMs(rule, rate) > rule.leastMs);
  const each = longer.map(rate => `${formatDuration(ruledMs(rule, rate))} at ${formatFrameRate(rate!)} fps`);
  return `${formatDuration(rule.leastMs)}, or ${rule.periods} frame periods if these are longer (${listed(each)})`;
}

/**
 * Describes the length above which a gap is a stall in headline metrics: "200 ms", "1 s (5 frame periods at 5 fps)",
 * "400 ms (measure.headlineStall)".
 */
export const stallLimitWords = (plan: Studied) => words(plan.measure.headlineStallMs, 'headlineStall', stallRule, plan);

/** Describes the length above which a gap is a stall by the study's setting `measure.stall`. */
export const ownStallLimitWords = (plan: Studied) => words(plan.measure.stallMs, 'stall', smoothRule, plan);

/** Describes the length above which a gap makes motion uneven. */
export const smoothLimitWords = (plan: Studied) => words(plan.measure.smoothGapMs, 'smoothGap', smoothRule, plan);

/** Returns a note if frames are captured at a higher rate than the browser's display can show. Otherwise null. */
export function displayNote(plan: Studied): string | null {
  const rates = [...new Set(ratesOf(plan).filter(rate => rate !== undefined && rate > displayHz))];
  if (rates.length === 0) return null;
  return (
    `Of ${listed(rates.map(rate => formatFrameRate(rate!)))} captured frames a second Chromium presents ${displayHz}: ` +
    `its display has ${displayHz} Hz unless a faster monitor is attached, and the others are replaced by newer ones ` +
    'before they are shown.'
  );
}
