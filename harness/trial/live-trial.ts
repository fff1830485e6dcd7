/** Values of a trial's last second, for live displays. */
import type { LiveReading } from '../analysis/derive/live-meter.ts';
import type { LiveValues } from '../services/service.ts';

/**
 * Values of the study's subject, and of each application that begins without a command, in the order of the condition
 * (null if it is not in use).
 */
export type LiveTrial = Omit<LiveReading, 'framesPerSecond'> &
  Pick<LiveValues, 'framesPerSecond'> & {
    /** Goodput of the other applications together, bit/s; null if there are none. */
    floodBps: number | null;
    elapsedMs: number;
    byApplication: (LiveValues | null)[];
  };
