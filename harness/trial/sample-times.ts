/**
 * Computes the times at which a trial is read: each second of its window, and both ends. A reading keeps the machine
 * busy, so its time is moved away from planned starts and stops of applications.
 */
import type { Application } from '../definition/applications.ts';

/** Required distance of a reading from planned starts and stops, ms. */
export const clearMs = 100;
const stepMs = 50;
/** Largest shift of a reading, as a share of the interval. It is less than half, so that readings stay in order. */
const mostMovedRatio = 0.45;
const secondMs = 1000;

/** Returns the planned starts, stops and pauses of applications, ms from the start of the window. */
export function plannedTimes(applications: readonly Pick<Application, 'startMs' | 'stopMs' | 'pauses'>[]): number[] {
  return applications
    .flatMap(({ startMs, stopMs, pauses = [] }) => [
      startMs,
      stopMs,
      ...pauses.flatMap(({ fromMs, toMs }) => [fromMs, toMs]),
    ])
    .filter(timeMs => timeMs !== null);
}

const stepsOf = (everyMs: number) =>
  Array.from({ length: Math.floor((mostMovedRatio * everyMs) / stepMs) }, (_, k) => (k + 1) * stepMs);
const steps = stepsOf(secondMs);

/**
 * Returns the first of `times` that is at least `clearMs` away from all planned times. If there is none, returns the
 * time that is farthest from them.
 */
function clearest(times: readonly number[], planned: readonly number[]): number {
  const distance = (timeMs: number) =>
    Math.min(clearMs, ...planned.map(plannedMs => Math.round(Math.abs(timeMs - plannedMs))));
  return times.reduce((best, timeMs) => (distance(timeMs) > distance(best) ? timeMs : best));
}

/** Returns `timeMs`, or a later time with the required distance. */
const orLater = (timeMs: number, planned: readonly number[]) =>
  clearest([timeMs, ...steps.map(step => timeMs + step)], planned);

/** Returns `timeMs`, or an earlier time with the required distance. */
export const orEarlier = (timeMs: number, planned: readonly number[]) =>
  clearest([timeMs, ...steps.map(step => timeMs - step)], planned);

type SampleTimes = {
  /** Time of the first reading: the start of the window or shortly after it. */
  startMs: number;
  /** Times of the readings between the ends, ascending; endless if the window has no end. */
  betweenMs: Iterable<number>;
  /** Time of the last reading: the end of the window or shortly after it. */
  endMs: number;
};

/**
 * Returns times of readings, ms from the start of the window. Later times are tried before earlier ones, since an
 * application that starts or stops keeps the machine busy mainly before its planned time.
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
