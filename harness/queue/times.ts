/** Times and bounds that planner and workers have to agree on. */

/** Time without a heartbeat after which a worker has lost its trial, s. pg-boss takes no less than 10 s. */
export const heartbeatSeconds = 20;
/** Interval of a worker's heartbeats, ms. */
export const heartbeatMs = 5000;
/** Time without a report of any worker of a machine after which other machines may take its repeats, s. */
export const deadSeconds = 60;
/** Time without a report of the planner after which a worker no longer waits for it, s. A planner reports every 10 s. */
export const plannerDeadSeconds = 30;
/** How often a trial is given to workers before it has failed. */
export const mostTakings = 5;
