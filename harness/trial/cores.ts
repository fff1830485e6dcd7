/**
 * Assigns processor cores to lanes. A shaper that waits for its core sends packets late. With four or more cores, the
 * first core is therefore reserved for the routers of all lanes. Browsers, servers and floods get the other cores,
 * divided among the lanes.
 */
import { CoexistError } from '../../core/errors.ts';

export type LaneCores = { router: readonly number[]; others: readonly number[] };

/** Cores of a lane whose load is not known. Measured: one trial of 720p60 with a flood keeps about 1.6 cores busy. */
const coresPerLane = 2;
/** Share of a lane's cores that its applications may keep busy: 1.6 of 2 in the measured case. */
const busyShare = 0.8;
/** Cores that the probes, the records and the harness keep busy in one trial. */
const coresBesideApplications = 0.15;
/**
 * Cores that the machine's own network keeps busy, per bit/s. Two flows through an emulated link, with their programs,
 * keep 0.08 cores busy at 20 Mbit/s and 0.35 at 100 Mbit/s.
 */
const coresPerBps = 3.5e-9;
const coresToPin = 4;

/**
 * Returns the number of cores that a lane needs for trials with these applications: the highest load of simultaneous
 * applications plus a reserve, but at most two. Also two if an application does not declare its load. `highestBps`:
 * highest rate of the link.
 */
export function laneNeeds(applications: readonly Load[], highestBps: number): number {
  return Math.min(coresPerLane, keptBusy(applications, highestBps, coresPerLane) / busyShare);
}

/**
 * Returns the number of cores that a trial with these applications keeps busy at most. `unknown`: cores of an
 * application that does not declare its load.
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
 * Returns the highest number of simultaneous trials that do not disturb each other, at least one. `needed`: cores that
 * each trial needs. If cores are divided among lanes, each lane gets whole cores and none gets the routers' core.
 */
export function mostLanes(cores: number, needed = coresPerLane): number {
  const most =
    cores < coresToPin ? Math.floor(cores / needed) : Math.min(Math.floor(cores / Math.ceil(needed)), cores - 1);
  return Math.max(1, most);
}

/** Throws `usage` if `lanes` simultaneous trials, each of which needs `needed` cores, would disturb each other. */
export function admit(lanes: number, needed: number, cores: number): void {
  const most = mostLanes(cores, needed);
  if (lanes <= most) return;
  throw new CoexistError('usage', `run.parallel: ${lanes} trials at once would disturb each other on ${cores} cores`, {
    hint: `each needs about ${needed.toFixed(1)} cores; set run.parallel to at most ${most}`,
  });
}

/** Returns the cores of lane `lane` of `lanes`; null if the machine has too few cores to divide. */
export function laneCores(lane: number, lanes: number, cores: number): LaneCores | null {
  if (cores < coresToPin) return null;
  const shared = Array.from({ length: cores - 1 }, (_, k) => k + 1);
  return { router: [0], others: shared.filter((_, k) => k % lanes === lane) };
}

/**
 * Load of one application of a trial. `cores`: cores that it keeps busy; null: not known. `startMs` and `stopMs`: begin
 * and end of its use, ms from the start of the window.
 */
export type Load = { name: string; cores: number | null; startMs: number | null; stopMs: number | null };

const isIn = ({ startMs, stopMs }: Load, atMs: number) => (startMs ?? -Infinity) <= atMs && atMs < (stopMs ?? Infinity);

/**
 * Returns a message if several simultaneous applications keep more cores busy than the machine has; else null. A single
 * application is not refused, since its trial shows if the machine keeps up.
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
 * Calls `onCrowd` with a message if several simultaneous applications keep more cores busy than the machine has. The
 * default throws `bad-definition`.
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
