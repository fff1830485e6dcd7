/**
 * Checks that simultaneous applications use BBRv3 with one budget, since the kernel has a single instance with one
 * budget.
 */
import { CoexistError } from '../../core/errors.ts';
import type { Bbr3Budget } from '../../shaper/bbr3/telemetry.ts';

/**
 * `budget`: budget that an application needs; null if it needs no BBRv3. `hint`: hint of the error. Throws
 * `bad-definition` if two budgets differ.
 */
export function requireOneBbr3(
  applications: readonly { name: string; budget: Bbr3Budget | null }[],
  hint: string,
): void {
  const [first, ...others] = applications.filter(({ budget }) => budget !== null);
  const other = others.find(({ budget }) => budget !== first!.budget);
  if (other === undefined) return;
  throw new CoexistError(
    'bad-definition',
    `${first!.name} wants BBRv3 with the budget "${first!.budget}" and ${other.name} with "${other.budget}" at the ` +
      'same time; the kernel can load only one budget at a time',
    { hint },
  );
}
