/**
 * Ids of the headline quantities, which the text of a report discusses. Their p values are corrected separately from
 * those of the other quantities, because dozens of other quantities measure the same thing in other ways.
 */
export const headline: readonly string[] = ['stall-time', 'frame-rate', 'goodput', 'frame-latency-p95'];

export const isHeadline = (quantity: string) => headline.includes(quantity);

/** Splits `members` into two lists: those whose quantity is a headline quantity, and all others. */
export function families<T>(members: readonly T[], quantityOf: (member: T) => string): T[][] {
  return [
    members.filter(member => isHeadline(quantityOf(member))),
    members.filter(member => !isHeadline(quantityOf(member))),
  ];
}
