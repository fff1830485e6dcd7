/**
 * The quantities that the text of a report discusses. Their tests are a family of their own for the correction of p
 * values, separate from dozens of further quantities that measure the same in other ways.
 */
export const headline: readonly string[] = [
  'stall-time',
  'frame-rate',
  'media-goodput',
  // of a subject that is no call: there the others have no value, and so no part in the correction
  'transfer-goodput',
  'frame-latency-p95',
];

export const isHeadline = (quantity: string) => headline.includes(quantity);

/** Parts the members into families: the headline's, and the others'. */
export function families<T>(members: readonly T[], quantityOf: (member: T) => string): T[][] {
  return [
    members.filter(member => isHeadline(quantityOf(member))),
    members.filter(member => !isHeadline(quantityOf(member))),
  ];
}
