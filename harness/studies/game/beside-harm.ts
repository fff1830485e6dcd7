/**
 * Loss that the players' choices cause to applications that are not players: the price of anarchy, expressed as harm,
 * for each of these applications and each of their quantities.
 */
import { harm } from '../../../core/stats/fair-share.ts';
import { type BesideQuantity, betterBeside } from './measure.ts';
import type { BesideHarm, StateSummary } from './summary.ts';

type Measured = Pick<StateSummary, 'id' | 'beside'>;

/**
 * Returns the harm of each application and quantity at the equilibrium that is worst for it, relative to the best
 * measured state. Empty if there is no equilibrium.
 */
export function besideHarms(states: readonly Measured[], equilibria: readonly string[]): BesideHarm[] {
  const applications = [...new Set(states.flatMap(({ beside }) => Object.keys(beside)))];
  return applications.flatMap(application =>
    (Object.keys(betterBeside) as BesideQuantity[]).flatMap(quantity => {
      const better = betterBeside[quantity];
      const sign = better === 'higher' ? 1 : -1;
      const told = states
        .flatMap(({ id, beside }) => {
          const value = beside[application]?.[quantity];
          return value == null ? [] : [{ id, value }];
        })
        .sort((a, b) => sign * (b.value - a.value));
      const best = told[0];
      const worst = told.filter(({ id }) => equilibria.includes(id)).at(-1);
      // Without a value for every equilibrium the worst one is unknown.
      const isComplete = equilibria.every(id => told.some(one => one.id === id));
      if (best === undefined || worst === undefined || !isComplete) return [];
      const value = harm(best.value, worst.value, better);
      return value === null ? [] : [{ application, quantity, worst, best, harm: value }];
    }),
  );
}
