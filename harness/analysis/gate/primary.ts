/** Primary metrics of a plan, checked against the metrics that there are. */
import { CoexistError } from '../../../core/errors.ts';
import type { Plan } from '../../definition/plan.ts';
import type { Quantity } from '../metrics/metric.ts';
import { namedQuantity } from './threshold.ts';

/**
 * Throws `bad-definition` if a primary metric does not exist, is named twice, or is not tested because neither direction
 * of it is better.
 */
export function requirePrimary(
  { study, primary = [], conditions }: Pick<Plan, 'study' | 'primary' | 'conditions'>,
  quantities: readonly Quantity[],
): void {
  for (const [i, metric] of primary.entries()) {
    const where = `${study}: primary.${i}`;
    if (primary.indexOf(metric) < i) throw new CoexistError('bad-definition', `${where}: ${metric} is named twice`);
    if (namedQuantity({ metric }, quantities, conditions, where).better === null)
      throw new CoexistError(
        'bad-definition',
        `${where}: ${metric} is not tested, because neither direction of it is better`,
        { hint: 'name a metric that is higher or lower for the better' },
      );
  }
}
