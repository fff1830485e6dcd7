/** A complete cycle of an endless study, as the pages of its site use it, and the addresses of these pages. */
import type { Changes } from '../../../harness/studies/pairs/changes.ts';
import type { CellSummary, PairsSummary } from '../../../harness/studies/pairs/summary.ts';
import { trialPageName } from '../data.ts';

export type SiteCycle = {
  name: string;
  createdMs: number;
  summary: PairsSummary;
  /** Address of the cycle's folder, relative to the site's: "cycles/0001/". */
  folder: string;
  /** Changes since the cycle before. Null for the first cycle. */
  changes: Changes | null;
};

/** Addresses of the site's pages, relative to its folder. */
export const addresses = {
  landing: 'index.html',
  feed: 'feed.xml',
  pair: (cell: string) => `pairs/${cell}.html`,
  service: (name: string) => `services/${name}.html`,
  report: ({ folder }: SiteCycle, anchor = '') => `${folder}report.html${anchor === '' ? '' : `#${anchor}`}`,
  trial: ({ folder }: SiteCycle, trial: string) => `${folder}trials/${trial}/${trialPageName}`,
} as const;

/** Address of the site's folder, relative to a page in one of its sub-folders. */
export const up = '../';

export const minute = (timeMs: number) => `${new Date(timeMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

export const counting = ({ summary }: SiteCycle) =>
  summary.trials.filter(({ verdict }) => verdict.status !== 'invalid').length;

/** Changes of machine, run and services, each in a few words. Moved shares are not among them. */
export const thingsChanged = ({ machine, run, services }: Changes) => [...machine, ...run, ...services];

/** A cell in one cycle. */
export type CellThen = { cycle: SiteCycle; cell: CellSummary };

/** Cells of all cycles by id, each with its cycles, oldest first. */
export function cellHistories(cycles: readonly SiteCycle[]): Map<string, CellThen[]> {
  const histories = new Map<string, CellThen[]>();
  for (const cycle of cycles)
    for (const cell of cycle.summary.cells)
      histories.set(cell.id, [...(histories.get(cell.id) ?? []), { cycle, cell }]);
  return histories;
}

/** Returns the newest value that a cycle has. Undefined if no cycle has one. */
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

/** Title of a cell: "iPerf CUBIC beside iPerf Reno". A service may also be alone, or beside itself. */
export function titleOfCell(cycles: readonly SiteCycle[], { sides }: CellSummary): string {
  const [first, second] = sides.map(({ contestant }) => contestant);
  const title = titleOfService(cycles, first!);
  if (second === undefined) return `${title} alone`;
  return `${title} beside ${second === first ? 'itself' : titleOfService(cycles, second)}`;
}
