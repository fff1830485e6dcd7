/** The last second of a trial in numbers. */
import type { LiveReading } from '../analysis/derive/live-meter.ts';
import type { LiveValues } from '../services/service.ts';

/**
 * Numbers of the study's subject; and of each application that begins by itself, in the order of the condition, null of
 * one that is not in use.
 */
export type LiveTrial = Omit<LiveReading, 'framesPerSecond'> &
  Pick<LiveValues, 'framesPerSecond'> & {
    /** Goodput of the other applications together, bit/s; null if there are none. */
    floodBps: number | null;
    elapsedMs: number;
    byApplication: (LiveValues | null)[];
  };
