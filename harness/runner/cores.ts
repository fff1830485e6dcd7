/**
 * Which cores a lane may use. A shaper that waits for its core sends packets late. So with four or more cores the first
 * one belongs to the routers of all lanes, and browsers, servers and floods share the rest, lane by lane.
 */
import { CoexistError } from '../../core/errors.ts';

export type LaneCores = { router: readonly number[]; others: readonly number[] };

/** Measured: one trial of 720p60 keeps about 1.6 cores busy. */
const coresPerLane = 2;
const coresToPin = 4;

/** Throws `usage` where that many trials at once would disturb each other. */
export function admit(lanes: number, cores: number): void {
  const most = Math.max(1, Math.floor(cores / coresPerLane));
  if (lanes <= most) return;
  throw new CoexistError('usage', `run.parallel: ${lanes} trials at once would disturb each other on ${cores} cores`, {
    hint: `each keeps about two cores busy; set run.parallel to at most ${most}`,
  });
}

/** Cores of one lane of `lanes`; null where there are too few to divide. */
export function laneCores(lane: number, lanes: number, cores: number): LaneCores | null {
  if (cores < coresToPin) return null;
  const shared = Array.from({ length: cores - 1 }, (_, k) => k + 1);
  return { router: [0], others: shared.filter((_, k) => k % lanes === lane) };
}

/** An application of a trial, what it costs, and from when to when it is in use, ms from the start of the window. */
type Load = { name: string; cores: number; startMs: number | null; stopMs: number | null };

const isIn = ({ startMs, stopMs }: Load, atMs: number) => (startMs ?? -Infinity) <= atMs && atMs < (stopMs ?? Infinity);

/**
 * In words, where several applications in use at one time keep more cores busy than there are; null where they do not.
 * One alone is let be: whether the machine keeps up with it is seen in the trial.
 */
function crowdIn(condition: string, all: readonly Load[], cores: number): string | null {
  const costly = all.filter(load => load.cores > 0);
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
 * `onCrowd` is told where several applications in use at one time keep more cores busy than there are; where it is not
 * said, that throws `bad-definition`.
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
