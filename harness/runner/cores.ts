/**
 * Which cores a lane may use. A shaper that waits for its core sends packets late, so where there are four cores or
 * more the first belongs to the routers of all lanes, and browsers, servers and floods share the rest, lane by lane.
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
