/** How the gains of a game are judged. */
import { highestRateBps } from '../../../core/vocabulary/rate-schedule.ts';
import type { Judge } from './analysis/gain.ts';
import { payoffRange } from './analysis/payoff-range.ts';
import type { GameCase, GamePlan } from './plan.ts';

/** Returns the highest rate of a game's link within the window, bit/s; null if the link follows a trace. */
export const highestOf = ({ run }: Pick<GamePlan, 'run'>, { link }: Pick<GameCase, 'link'>): number | null =>
  link.trace === null ? highestRateBps(link, 0, run.windowMs) : null;

export function judgeOf(plan: Pick<GamePlan, 'confidence' | 'run' | 'payoff'>, game: GameCase): Judge {
  const rateBps = highestOf(plan, game);
  return {
    tolerance: game.tolerance,
    confidence: plan.confidence,
    most: plan.run.most,
    rangeOf: players => payoffRange(plan.payoff, rateBps, players),
  };
}
