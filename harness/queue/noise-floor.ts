/**
 * The effect of a machine on a stream while the network does nothing. A worker measures it before it gets trials, and
 * gets none if it does not pass: trials that its machine voids would have to be run again, and disturbances that it
 * does not detect would count as results.
 */

import { object, z } from '../../core/schema/schema.ts';
import { counted } from '../../core/text/counted.ts';

export type NoiseFloor = {
  passed: boolean;
  /** The result in one line. */
  said: string;
};

/** A trial of the measurement. `stallS`: stalled time, s; null if it was not measured. */
export type FloorTrial = { status: 'valid' | 'degraded' | 'invalid'; reasons: string[]; stallS: number | null };

/** Limit for three trials. A study repeats void trials, so a machine that voids more would mostly repeat trials. */
const mostVoid = 1;

const schema = object({ passed: z.boolean(), said: z.string() });

/** Undefined if the value is not a noise floor. */
export const readNoiseFloor = (value: unknown): NoiseFloor | undefined => schema.safeParse(value).data;

/** Passes if at most one trial is void and the stream never stalls in the others. */
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
