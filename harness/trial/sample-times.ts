/**
 * Times at which a trial is read in its window: each second and at both ends. A reading keeps the harness and the
 * machine busy, so it avoids the planned starts and stops of applications.
 */
import type { Application } from '../definition/applications.ts';

/** Smallest distance of a reading from a planned start or stop, ms. */
export const clearMs = 100;
const stepMs = 50;
/** Largest shift of a reading, as a share of the interval. Less than half, so that readings keep their order. */
const mostMovedRatio = 0.45;
const secondMs = 1000;

/** Planned starts and stops of applications, ms from the start of the window. */
export function plannedTimes(applications: readonly Pick<Application, 'startMs' | 'stopMs'>[]): number[] {
  return applications.flatMap(({ startMs, stopMs }) => [startMs, stopMs]).filter(timeMs => timeMs !== null);
}

const stepsOf = (everyMs: number) =>
  Array.from({ length: Math.floor((mostMovedRatio * everyMs) / stepMs) }, (_, k) => (k + 1) * stepMs);
const steps = stepsOf(secondMs);

/**
 * The first of `times` with the required distance from all planned times; if none has it, the one with the largest
 * distance.
 */
function clearest(times: readonly number[], planned: readonly number[]): number {
  const distance = (timeMs: number) =>
    Math.min(clearMs, ...planned.map(plannedMs => Math.round(Math.abs(timeMs - plannedMs))));
  return times.reduce((best, timeMs) => (distance(timeMs) > distance(best) ? timeMs : best));
}

/** The time itself, or a later one with the required distance. */
const orLater = (timeMs: number, planned: readonly number[]) =>
  clearest([timeMs, ...steps.map(step => timeMs + step)], planned);

/** The time itself, or an earlier one with the required distance. */
export const orEarlier = (timeMs: number, planned: readonly number[]) =>
  clearest([timeMs, ...steps.map(step => timeMs - step)], planned);

type SampleTimes = {
  /** At the start of the window or shortly after it. */
  startMs: number;
  /** Times between, in order; endless if the window has no end. */
  betweenMs: Iterable<number>;
  /** At the end of the window or shortly after it. */
  endMs: number;
};

/**
 * Times in ms from the start of the window. Readings move to a later time first: an application that starts or stops is
 * busy for a shorter time after its planned time than before it.
 */
export function sampleTimes(windowMs: number, planned: readonly number[], everyMs = secondMs): SampleTimes {
  return {
    startMs: orLater(0, planned),
    betweenMs: timesBetween(windowMs, [...planned, windowMs], everyMs),
    endMs: orLater(windowMs, planned),
  };
}

function* timesBetween(windowMs: number, busy: readonly number[], everyMs: number): Generator<number> {
  const moves = stepsOf(everyMs);
  for (let timeMs = everyMs; timeMs < windowMs; timeMs += everyMs)
    yield clearest(
      [timeMs, ...moves.map(step => timeMs + step), ...moves.map(step => timeMs - step)].filter(at => at < windowMs),
      busy,
    );
}
