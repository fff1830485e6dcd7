/** Names that the summary of a pairwise study and its report share. */

/** Of the link, what both took together: a cell's own, of no side. */
export const utilisation = { id: 'utilisation', title: 'Utilisation', unit: 'ratio', better: 'higher' } as const;

/** Quantities that say what the time stalled is put down to begin so: shares of it, null where there was none. */
export const causePrefix = 'stalled-by-';

/** Behind the name of a link whose queue is doubled. */
export const deepSuffix = '-deep';

export const isDeep = (link: string) => link.endsWith(deepSuffix);

/** Cells that were due more trials when the summary was made: none of a study that is complete. */
export function openCells<C extends { state: string }>({ cells }: { cells: readonly C[] }): C[] {
  return cells.filter(({ state }) => state === 'open');
}
