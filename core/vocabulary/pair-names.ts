/** Names that the summary and the report of a pairwise study share. */

/**
 * Quantity "utilisation": the share of the link that both sides use together. It has one value for a cell, not one for
 * each side.
 */
export const utilisation = { id: 'utilisation', title: 'Utilisation', unit: 'ratio', better: 'higher' } as const;

/**
 * Prefix of the quantities that attribute stalled time to a cause. The value of such a quantity is a share of the
 * stalled time, or null if nothing stalled.
 */
export const causePrefix = 'stalled-by-';

/** Suffix of the name of a link whose queue is doubled. */
export const deepSuffix = '-deep';

export const isDeep = (link: string) => link.endsWith(deepSuffix);

/** Returns the cells that still needed trials when the summary was made. A complete study has no such cells. */
export function openCells<C extends { state: string }>({ cells }: { cells: readonly C[] }): C[] {
  return cells.filter(({ state }) => state === 'open');
}
