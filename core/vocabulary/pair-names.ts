/** Names shared by the summary and the report of a pairwise study. */

/** Utilisation of the link by both sides together. It belongs to a cell, not to a side. */
export const utilisation = { id: 'utilisation', title: 'Utilisation', unit: 'ratio', better: 'higher' } as const;

/**
 * Prefix of the quantities that attribute stalled time to a cause. Their values are shares of the stalled time, null if
 * there was none.
 */
export const causePrefix = 'stalled-by-';

/** Suffix of the name of a link with doubled queue. */
export const deepSuffix = '-deep';

export const isDeep = (link: string) => link.endsWith(deepSuffix);

/** Returns the cells that needed more trials when the summary was made. A complete study has none. */
export function openCells<C extends { state: string }>({ cells }: { cells: readonly C[] }): C[] {
  return cells.filter(({ state }) => state === 'open');
}
