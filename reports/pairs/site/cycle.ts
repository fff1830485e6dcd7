/** A complete cycle of a study that goes on for ever, as the pages of its site see it, and where things lie. */
import type { Changes } from '../../../harness/studies/pairs/changes.ts';
import type { CellSummary, PairsSummary } from '../../../harness/studies/pairs/summary.ts';
import { trialPageName } from '../data.ts';

export type SiteCycle = {
  name: string;
  createdMs: number;
  summary: PairsSummary;
  /** Its folder, seen from the site's: "cycles/0001/". */
  folder: string;
  /** From the cycle before; null for the first. */
  changes: Changes | null;
};

/** Pages of the site, seen from its folder. */
export const addresses = {
  landing: 'index.html',
  feed: 'feed.xml',
  pair: (cell: string) => `pairs/${cell}.html`,
  service: (name: string) => `services/${name}.html`,
  report: ({ folder }: SiteCycle, anchor = '') => `${folder}report.html${anchor === '' ? '' : `#${anchor}`}`,
  trial: ({ folder }: SiteCycle, trial: string) => `${folder}trials/${trial}/${trialPageName}`,
} as const;

/** From a page in a folder of the site to its own folder. */
export const up = '../';

export const minute = (timeMs: number) => `${new Date(timeMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

export const counting = ({ summary }: SiteCycle) =>
  summary.trials.filter(({ verdict }) => verdict.status !== 'invalid').length;

/** What changed, in a few words each; how many shares moved is another matter. */
export const thingsChanged = ({ machine, run, services }: Changes) => [...machine, ...run, ...services];

/** A cell in one cycle. */
export type CellThen = { cycle: SiteCycle; cell: CellSummary };

/** The cells of all cycles by id, each with its cycles, the oldest first. */
export function cellHistories(cycles: readonly SiteCycle[]): Map<string, CellThen[]> {
  const histories = new Map<string, CellThen[]>();
  for (const cycle of cycles)
    for (const cell of cycle.summary.cells)
      histories.set(cell.id, [...(histories.get(cell.id) ?? []), { cycle, cell }]);
  return histories;
}

/** The newest of what cycles say of something. */
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

/** "iPerf CUBIC beside iPerf Reno"; a service may be alone, or beside itself. */
export function titleOfCell(cycles: readonly SiteCycle[], { sides }: CellSummary): string {
  const [first, second] = sides.map(({ contestant }) => contestant);
  const title = titleOfService(cycles, first!);
  if (second === undefined) return `${title} alone`;
  return `${title} beside ${second === first ? 'itself' : titleOfService(cycles, second)}`;
}
