/** Times and limits on which planner and workers have to agree. */

/** Time without a heartbeat from which a worker has lost its trial, s. pg-boss allows no less than 10 s. */
export const heartbeatSeconds = 20;
/** Interval of the heartbeats of a worker, ms. */
export const heartbeatMs = 5000;
/**
 * Time without a report of any worker of a machine after which other machines may take the repeats of this machine, s.
 */
export const deadSeconds = 60;
/**
 * Time after the planner's last report until a worker no longer waits for the planner, s. A planner reports every 10 s.
 */
export const plannerDeadSeconds = 30;
/** Number of times that a trial is given to workers. If no worker finishes the trial, it has failed. */
export const mostTakings = 5;
