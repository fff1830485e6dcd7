/** Number of retries that a study has for its void trials (harness/studies/planner/retry-policy.ts). */

/** A study has `run.retries` retries, plus `run.retries` for each group of this many trials. */
export const trialsPerShare = 6;

export const furtherTries = (retries: number, trials: number) =>
  retries + Math.ceil((retries * trials) / trialsPerShare);
