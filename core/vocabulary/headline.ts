/**
 * Ids of the headline quantities, which the text of a report discusses. In a study that names no primary quantities, their
 * p values are corrected separately from those of the other quantities, because dozens of other quantities measure the
 * same thing in other ways.
 */
export const headline: readonly string[] = ['stall-time', 'frame-rate', 'goodput', 'frame-latency-p95'];

export const isHeadline = (quantity: string) => headline.includes(quantity);

/**
 * Returns the ids of the primary quantities of a study, which answer its question: those that its plan names, otherwise
 * the headline quantities. All other quantities are secondary.
 */
export const primaryOf = ({ primary }: { primary?: readonly string[] }): readonly string[] => primary ?? headline;

/**
 * Splits `members` into the two families whose p values are corrected separately: those with a primary quantity, and all
 * others.
 */
export function families<T>(
  members: readonly T[],
  quantityOf: (member: T) => string,
  primary: readonly string[],
): T[][] {
  const isPrimary = (member: T) => primary.includes(quantityOf(member));
  return [members.filter(isPrimary), members.filter(member => !isPrimary(member))];
}
