/**
 * When a trial is read in its window: each second, and at both ends. A reading keeps the harness and the machine busy,
 * so it keeps away from the planned starts and stops of applications.
 */
import type { Application } from '../experiment/applications.ts';

const everyMs = 1000;
/** Distance from a planned start or stop, ms. */
export const clearMs = 100;
const stepMs = 50;
/** Less than half of the time between two readings: they keep their order. */
const mostMovedMs = 450;

/** When applications begin or end by a time of their own, ms from the start of the window. */
export function plannedTimes(applications: readonly Pick<Application, 'startMs' | 'stopMs'>[]): number[] {
  return applications.flatMap(({ startMs, stopMs }) => [startMs, stopMs]).filter(timeMs => timeMs !== null);
}

const steps = Array.from({ length: mostMovedMs / stepMs }, (_, k) => (k + 1) * stepMs);

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

/**
 * Ms from the start of the window, in order. The first and the last are those of the window's ends: at them or after
 * them. What begins or ends is over sooner after its time than it can be left alone before, so others move to a later
 * time first.
 */
export function sampleTimes(windowMs: number, planned: readonly number[]): number[] {
  const busy = [...planned, windowMs];
  const between = Array.from({ length: Math.ceil(windowMs / everyMs) - 1 }, (_, k) => (k + 1) * everyMs).map(timeMs =>
    clearest(
      [timeMs, ...steps.map(step => timeMs + step), ...steps.map(step => timeMs - step)].filter(at => at < windowMs),
      busy,
    ),
  );
  return [orLater(0, planned), ...between, orLater(windowMs, planned)];
}
