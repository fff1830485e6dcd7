/**
 * Noise floor: the effect of a machine on a stream while the network does not disturb it. A worker measures the noise
 * floor before it gets trials, and gets none if the noise floor does not pass. Otherwise trials that the machine voids
 * would have to be run again, and disturbances that the machine does not detect would count as results.
 */

import { object, z } from '../../core/schema/schema.ts';
import { counted } from '../../core/text/counted.ts';

export type NoiseFloor = {
  passed: boolean;
  /** Result of the measurement in one line. */
  said: string;
};

/** Trial of the measurement. `stallS`: stalled time, s; null if the trial was not measured. */
export type FloorTrial = { status: 'valid' | 'degraded' | 'invalid'; reasons: string[]; stallS: number | null };

/**
 * Largest number of void trials of the three. A study repeats void trials, so a machine that voids more trials would
 * mostly repeat them.
 */
const mostVoid = 1;

const schema = object({ passed: z.boolean(), said: z.string() });

/** Returns the value if it is a noise floor; undefined if it is not. */
export const readNoiseFloor = (value: unknown): NoiseFloor | undefined => schema.safeParse(value).data;

/**
 * Judges the trials of the measurement. The noise floor passes if at most one trial is void and the stream never stalls
 * in the others.
 */
export function judgeNoiseFloor(trials: readonly FloorTrial[]): NoiseFloor {
  const voided = trials.filter(({ status }) => status === 'invalid');
  const measured = trials.filter(({ status, stallS }) => status !== 'invalid' && stallS !== null);
  const stallS = measured.reduce((sum, trial) => sum + trial.stallS!, 0);
  const stalled = measured.filter(trial => trial.stallS! > 0);
  const reasons = [...new Set(voided.flatMap(trial => trial.reasons))].join('; ');
  const failures = [
    ...(voided.length > mostVoid ? [`${voided.length} of ${trials.length} trials were void: ${reasons}`] : []),
    ...(measured.length === 0 && voided.length <= mostVoid ? ['no trial was measured'] : []),
    ...(stalled.length > 0
      ? [`the stream stalled for ${stallS.toFixed(1)} s in ${stalled.length} of ${measured.length} trials`]
      : []),
  ];
  if (failures.length > 0) return { passed: false, said: failures.join(', ') };
  return { passed: true, said: `no stall in ${counted(measured.length, 'trial')}` };
}
