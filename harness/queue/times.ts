/** Times and bounds that planner and workers have to agree on. */

/** A worker that runs a trial and is not heard of for so long has lost it, s. The least that pg-boss takes is 10. */
export const heartbeatSeconds = 20;
/** How often a worker is heard of, ms. */
export const heartbeatMs = 5000;
/** A machine none of whose workers is heard of for so long gives its rounds to others, s. */
export const deadSeconds = 60;
/** A planner that is not heard of for so long is not waited for, s. It is heard of every 10 s. */
export const plannerDeadSeconds = 30;
/** How often a trial is given to a worker before it is given up. */
export const mostTakings = 5;
