/**
 * When a trial is read in its window: each second, and at both ends. A reading keeps the harness and the machine busy,
 * so it keeps away from the planned starts and stops of applications.
 */
import type { Application } from '../definition/applications.ts';

/** Distance from a planned start or stop, ms. */
export const clearMs = 100;
const stepMs = 50;
/** How far a reading moves at most, as a share of the time between two: less than half, so that they keep their order. */
const mostMovedRatio = 0.45;
const secondMs = 1000;

/** When applications begin or end by a time of their own, ms from the start of the window. */
export function plannedTimes(applications: readonly Pick<Application, 'startMs' | 'stopMs'>[]): number[] {
  return applications.flatMap(({ startMs, stopMs }) => [startMs, stopMs]).filter(timeMs => timeMs !== null);
}

const stepsOf = (everyMs: number) =>
  Array.from({ length: Math.floor((mostMovedRatio * everyMs) / stepMs) }, (_, k) => (k + 1) * stepMs);
const steps = stepsOf(secondMs);

/** The one of `times` that is clear of what is planned: the first, or where none is, the one that is most clear. */
function clearest(times: readonly number[], planned: readonly number[]): number {
  const distance = (timeMs: number) =>
    Math.min(clearMs, ...planned.map(plannedMs => Math.round(Math.abs(timeMs - plannedMs))));
  return times.reduce((best, timeMs) => (distance(timeMs) > distance(best) ? timeMs : best));
}

/** The time itself or a later one that is clear of what is planned. */
const orLater = (timeMs: number, planned: readonly number[]) =>
  clearest([timeMs, ...steps.map(step => timeMs + step)], planned);

/** The time itself or an earlier one that is clear of what is planned. */
export const orEarlier = (timeMs: number, planned: readonly number[]) =>
  clearest([timeMs, ...steps.map(step => timeMs - step)], planned);

type SampleTimes = {
  /** At the start of the window or after it. */
  startMs: number;
  /** Those between, in order; without end if the window has none. */
  betweenMs: Iterable<number>;
  /** At the end of the window or after it. */
  endMs: number;
};

/**
 * Ms from the start of the window. What begins or ends is over sooner after its time than it can be left alone before, so
 * readings move to a later time first.
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
