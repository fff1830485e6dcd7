/** The last second of a trial in numbers. */
import type { LiveReading } from '../derive/live-meter.ts';
import type { LiveValues } from '../services/service.ts';

/** Of the study's subject; and of each application, in the order of the condition, null of one that is not in use. */
export type LiveTrial = Omit<LiveReading, 'framesPerSecond'> &
  Pick<LiveValues, 'framesPerSecond'> & { elapsedMs: number; byApplication: (LiveValues | null)[] };
