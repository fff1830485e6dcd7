/** Number of further tries that a study has for its void trials (harness/studies/planner/retry-policy.ts). */

/** A study has `run.retries` further tries for each such number of trials. */
export const trialsPerShare = 6;

/** Further tries of a study of `trials` trials. */
export const furtherTries = (retries: number, trials: number) =>
  retries + Math.ceil((retries * trials) / trialsPerShare);
