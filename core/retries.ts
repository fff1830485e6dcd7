/** The setting `run.retries`, which every kind of study has, and what it comes to (harness/planner/retry-policy.ts). */
import { integer } from './schema.ts';

/** For each so many trials a study has `run.retries` further tries. */
const trialsPerShare = 6;

export const retriesSetting = integer({ min: 0, max: 10 })
  .default(2)
  .describe(
    'How many further tries the study has for trials that are void: this number, and as many again for every ' +
      `${trialsPerShare} trials. With 2, a study of 8 trials has 5. A trial that the machine disturbed is run again ` +
      'while there are tries left, a trial of which a part failed once. 0: no trial is run again.',
  );

/** Further tries of a study of so many trials. */
export const furtherTries = (retries: number, trials: number) =>
  retries + Math.ceil((retries * trials) / trialsPerShare);
