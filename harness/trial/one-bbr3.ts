/** BBRv3 is in the kernel once, with one budget: applications that run at once have to agree on it. */
import { CoexistError } from '../../core/errors.ts';
import type { Bbr3Budget } from '../../shaper/bbr3/telemetry.ts';

/**
 * `budget`: the one that an application needs; null where it needs no BBRv3. `hint`: for the error. Throws
 * `bad-definition` where two differ.
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
