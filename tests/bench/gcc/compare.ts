/** How near two estimates are, and whether their larger changes go the same way. */
import { median } from '../../../core/stats/quantile.ts';
import type { Estimate } from './chromium-log.ts';

const stepMs = 100;
/** A change by more than this share within `withinMs` is a larger one. */
const larger = { ratio: 0.2, withinMs: 1000 };
/** The other estimate has so long before and after to go the same way, by this share. */
const same = { ratio: 0.05, ms: 1000 };

export type Nearness = { medianError: number; changes: number; sameDirection: number };

/** The value that stood at each step of time. */
function sampled(estimates: readonly Estimate[], fromMs: number, toMs: number): number[] {
  const values: number[] = [];
  let at = 0;
  for (let timeMs = fromMs; timeMs < toMs; timeMs += stepMs) {
    while (at + 1 < estimates.length && estimates[at + 1]!.timeMs <= timeMs) at++;
    values.push(estimates[at]!.bps);
  }
  return values;
}

/** Both in order of time and not empty; `theirs` is the reference. */
export function compare(
  ours: readonly Estimate[],
  theirs: readonly Estimate[],
  fromMs: number,
  toMs: number,
): Nearness {
  const [own, reference] = [sampled(ours, fromMs, toMs), sampled(theirs, fromMs, toMs)];
  const errors = own.map((value, k) => Math.abs(value - reference[k]!) / reference[k]!);
  const span = larger.withinMs / stepMs;
  let [changes, sameDirection] = [0, 0];
  for (let k = span; k < reference.length; ) {
    const change = reference[k]! / reference[k - span]! - 1;
    if (Math.abs(change) <= larger.ratio) {
      k++;
      continue;
    }
    changes++;
    const around = own.slice(Math.max(0, k - span - same.ms / stepMs), k + same.ms / stepMs + 1);
    if (moves(around, Math.sign(change))) sameDirection++;
    k += span;
  }
  return { medianError: median(errors)!, changes, sameDirection };
}

/** Whether a stretch goes that way somewhere. */
function moves(values: readonly number[], direction: number): boolean {
  let extreme = values[0]!;
  for (const value of values) {
    if (direction > 0 ? value > extreme * (1 + same.ratio) : value < extreme * (1 - same.ratio)) return true;
    extreme = direction > 0 ? Math.min(extreme, value) : Math.max(extreme, value);
  }
  return false;
}
