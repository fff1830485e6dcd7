/** Number of retries that a study has for void trials (harness/studies/planner/retry-policy.ts). */

/** Number of trials for which a study has `run.retries` retries. Each study has another `run.retries` in addition. */
export const trialsPerShare = 6;

export const furtherTries = (retries: number, trials: number) =>
  retries + Math.ceil((retries * trials) / trialsPerShare);
