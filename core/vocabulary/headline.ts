/**
 * Headline quantities, which the text of a report discusses. The correction of p values treats their tests as a
 * separate family, because dozens of other quantities measure the same thing in other ways.
 */
export const headline: readonly string[] = [
  'stall-time',
  'frame-rate',
  'media-goodput',
  // for a subject that is not a call; other subjects have no value here and do not affect the correction
  'transfer-goodput',
  'frame-latency-p95',
];

export const isHeadline = (quantity: string) => headline.includes(quantity);

/** Splits the members into two families: headline quantities and all others. */
export function families<T>(members: readonly T[], quantityOf: (member: T) => string): T[][] {
  return [
    members.filter(member => isHeadline(quantityOf(member))),
    members.filter(member => !isHeadline(quantityOf(member))),
  ];
}
