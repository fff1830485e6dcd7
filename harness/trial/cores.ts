/**
 * Cores that a lane may use. A shaper that waits for its core sends packets late. With four or more cores the first one
 * therefore belongs to the routers of all lanes. Browsers, servers and floods share the others, divided among the
 * lanes.
 */
import { CoexistError } from '../../core/errors.ts';

export type LaneCores = { router: readonly number[]; others: readonly number[] };

/** Measured: one trial of 720p60 with a flood keeps about 1.6 cores busy. */
const coresPerLane = 2;
/** Share of its cores that a lane may keep busy: 1.6 of 2 in the measured case. */
const busyShare = 0.8;
/** Cores for probes, records and harness of one trial. */
const coresBesideApplications = 0.15;
/**
 * Cores per bit/s for the machine's own network. Two flows through an emulated link, with their programs, keep 0.08
 * cores busy at 20 Mbit/s and 0.35 at 100 Mbit/s.
 */
const coresPerBps = 3.5e-9;
const coresToPin = 4;

/**
 * Cores that a lane needs for trials with these applications: the load of those in use at the same time, with a
 * reserve. Two if an application does not declare its load; never more. `highestBps`: highest rate of the link.
 */
export function laneNeeds(applications: readonly Load[], highestBps: number): number {
  return Math.min(coresPerLane, keptBusy(applications, highestBps, coresPerLane) / busyShare);
}

/**
 * Cores that a trial with these applications keeps busy. An application that does not declare its load counts as
 * `unknown`.
 */
export function keptBusy(applications: readonly Load[], highestBps: number, unknown: number): number {
  const beside = coresBesideApplications + coresPerBps * highestBps;
  const together = applications.map(({ startMs }) =>
    applications
      .filter(load => isIn(load, startMs ?? -Infinity))
      .reduce((sum, { cores }) => sum + (cores ?? unknown), beside),
  );
  return Math.max(...together, 0);
}

/**
 * Maximum number of simultaneous trials, at least one, if each needs `needed` cores. If cores are divided among lanes,
 * each lane has whole cores and none has the routers' core.
 */
export function mostLanes(cores: number, needed = coresPerLane): number {
  const most =
    cores < coresToPin ? Math.floor(cores / needed) : Math.min(Math.floor(cores / Math.ceil(needed)), cores - 1);
  return Math.max(1, most);
}

/** Throws `usage` if `lanes` simultaneous trials, each with `needed` cores, would disturb each other. */
export function admit(lanes: number, needed: number, cores: number): void {
  const most = mostLanes(cores, needed);
  if (lanes <= most) return;
  throw new CoexistError('usage', `run.parallel: ${lanes} trials at once would disturb each other on ${cores} cores`, {
    hint: `each needs about ${needed.toFixed(1)} cores; set run.parallel to at most ${most}`,
  });
}

/** Cores of one of `lanes` lanes; null if the machine has too few cores to divide. */
export function laneCores(lane: number, lanes: number, cores: number): LaneCores | null {
  if (cores < coresToPin) return null;
  const shared = Array.from({ length: cores - 1 }, (_, k) => k + 1);
  return { router: [0], others: shared.filter((_, k) => k % lanes === lane) };
}

/**
 * An application of a trial. `cores`: cores that it keeps busy; null: not known. It is in use from `startMs` to
 * `stopMs`, ms from the start of the window.
 */
export type Load = { name: string; cores: number | null; startMs: number | null; stopMs: number | null };

const isIn = ({ startMs, stopMs }: Load, atMs: number) => (startMs ?? -Infinity) <= atMs && atMs < (stopMs ?? Infinity);

/**
 * Message if several simultaneous applications keep more cores busy than the machine has; else null. A single
 * application is not refused: the trial shows if the machine keeps up with it.
 */
function crowdIn(condition: string, all: readonly Load[], cores: number): string | null {
  const costly = all.flatMap(load => (load.cores === null || load.cores === 0 ? [] : [{ ...load, cores: load.cores }]));
  for (const { startMs } of costly) {
    const together = costly.filter(load => isIn(load, startMs ?? -Infinity));
    const needed = together.reduce((sum, load) => sum + load.cores, 0);
    if (together.length < 2 || needed <= cores) continue;
    let left = cores;
    const most = together.toSorted((a, b) => a.cores - b.cores).filter(load => (left -= load.cores) >= 0).length;
    return (
      `condition ${condition}: applications: ` +
      `${together.length} at once (${together.map(({ name }) => name).join(', ')}) keep about ${needed.toFixed(1)} ` +
      `cores busy, and this machine has ${cores}, which carry ${most}`
    );
  }
  return null;
}

function refuseCrowd(message: string): never {
  throw new CoexistError('bad-definition', message, {
    hint: 'leave some out, let them follow one another, or make their frames smaller',
  });
}

/**
 * Calls `onCrowd` if several simultaneous applications keep more cores busy than the machine has. By default that
 * throws `bad-definition`.
 */
export function admitApplications(
  condition: string,
  all: readonly Load[],
  cores: number,
  onCrowd: (message: string) => void = refuseCrowd,
): void {
  const crowd = crowdIn(condition, all, cores);
  if (crowd !== null) onCrowd(crowd);
}
