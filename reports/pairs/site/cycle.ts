/**
 * A complete cycle of a repeated study in the form that the pages of its site use, and the addresses of these pages.
 */
import type { Changes } from '../../../harness/studies/pairs/changes.ts';
import type { CellSummary, PairsSummary } from '../../../harness/studies/pairs/summary.ts';
import { trialPageName } from '../data.ts';

export type SiteCycle = {
  name: string;
  createdMs: number;
  summary: PairsSummary;
  /** Address of the cycle's folder, relative to the site's folder: "cycles/0001/". */
  address: string;
  /** Differences from the cycle before. Null for the first cycle. */
  changes: Changes | null;
};

/** Addresses of the site's pages, relative to the site's folder. */
export const addresses = {
  landing: 'index.html',
  feed: 'feed.xml',
  pair: (cell: string) => `pairs/${cell}.html`,
  service: (name: string) => `services/${name}.html`,
  report: ({ address }: SiteCycle, anchor = '') => `${address}report.html${anchor === '' ? '' : `#${anchor}`}`,
  trial: ({ address }: SiteCycle, trial: string) => `${address}trials/${trial}/${trialPageName}`,
} as const;

/** Address of the site's folder, relative to a page in one of its subfolders. */
export const up = '../';

export const counting = ({ summary }: SiteCycle) =>
  summary.trials.filter(({ verdict }) => verdict.status !== 'invalid').length;

/** Lists the changes of machine, settings and services, each in a few words. Changed shares are not included. */
export const thingsChanged = ({ machine, run, services }: Changes) => [...machine, ...run, ...services];

/** A cell as it was in one cycle. */
export type CellThen = { cycle: SiteCycle; cell: CellSummary };

/** Returns the history of each cell by id of the cell: the cell in every cycle that has it, oldest first. */
export function cellHistories(cycles: readonly SiteCycle[]): Map<string, CellThen[]> {
  const histories = new Map<string, CellThen[]>();
  for (const cycle of cycles)
    for (const cell of cycle.summary.cells)
      histories.set(cell.id, [...(histories.get(cell.id) ?? []), { cycle, cell }]);
  return histories;
}

/** Returns the value that `of` returns for the newest cycle with a value. Undefined if no cycle has one. */
export function newestOf<T>(cycles: readonly SiteCycle[], of: (cycle: SiteCycle) => T | undefined): T | undefined {
  for (const cycle of cycles.toReversed()) {
    const found = of(cycle);
    if (found !== undefined) return found;
  }
  return undefined;
}

export function titleOfService(cycles: readonly SiteCycle[], name: string): string {
  return newestOf(cycles, ({ summary }) => summary.contestants.find(one => one.name === name)?.title) ?? name;
}

export function titleOfLink(cycles: readonly SiteCycle[], id: string): string {
  return newestOf(cycles, ({ summary }) => summary.links.find(link => link.id === id)?.title) ?? id;
}

/** Returns the title of a cell: "iPerf CUBIC beside iPerf Reno". A service may also run alone, or beside itself. */
export function titleOfCell(cycles: readonly SiteCycle[], { sides }: CellSummary): string {
  const [first, second] = sides.map(({ contestant }) => contestant);
  const title = titleOfService(cycles, first!);
  if (second === undefined) return `${title} alone`;
  return `${title} beside ${second === first ? 'itself' : titleOfService(cycles, second)}`;
}
