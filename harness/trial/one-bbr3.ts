/**
 * Checks that all simultaneous applications need the same BBRv3 budget, since the kernel can load only one at a time.
 */
import { CoexistError } from '../../core/errors.ts';
import type { Bbr3Budget } from '../../shaper/bbr3/telemetry.ts';

/**
 * Throws `bad-definition` with the hint `hint` if two applications need different budgets. `budget`: null if the
 * application needs no BBRv3.
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
