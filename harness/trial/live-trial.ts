/** Values of a trial's last second, for live displays. */
import type { LiveReading } from '../analysis/derive/live-meter.ts';
import type { LiveValues } from '../services/service.ts';

/**
 * Live values of the study's subject. `byApplication`: values of each application that begins without a command, in the
 * order of the condition; null if the application is not in use.
 */
export type LiveTrial = Omit<LiveReading, 'framesPerSecond'> &
  Pick<LiveValues, 'framesPerSecond'> & {
    /** Sum of the goodput of all applications in use except the subject, bit/s; null if there are none. */
    othersBps: number | null;
    elapsedMs: number;
    byApplication: (LiveValues | null)[];
  };
