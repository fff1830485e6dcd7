/** Times and limits on which planner and workers have to agree. */

/** Time without a heartbeat after which a worker has lost its trial, s. The minimum of pg-boss is 10 s. */
export const heartbeatSeconds = 20;
/** Interval of a worker's heartbeats, ms. */
export const heartbeatMs = 5000;
/** Time after the last report of any worker of a machine until other machines may take its repeats, s. */
export const deadSeconds = 60;
/** Time after the planner's last report until a worker no longer waits for it, s. A planner reports every 10 s. */
export const plannerDeadSeconds = 30;
/** Number of times that a trial is given to workers before it has failed. */
export const mostTakings = 5;
