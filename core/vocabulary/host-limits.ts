/**
 * Limits on how late the parts of the machine may be. Exceeding them degrades a trial or makes it void
 * (harness/trial/verdict.ts).
 */

/**
 * Limits come from experiments that held up each part (docs/benchmarks.md, "Hold-ups"), unless a comment says
 * otherwise. `degraded` is the longest hold-up that moved no momentary metric by more than its resolution; for the
 * longest gap between two frames this is one frame period. `invalid` is the longest hold-up that never caused a stall
 * and never lowered the target of the stream, since a trial attributes both to the network.
 */
export const hostLimits = {
  /** Media server: longest delay of a timer, ms. Gaps grow from 50 ms on; the target falls from 150 ms on. */
  senderDelayMs: { degraded: 30, invalid: 100 },
  /** Media server: longest lateness of a frame against its schedule, ms. An undisturbed server reaches up to 37 ms. */
  frameLatenessMs: { degraded: 35, invalid: 100 },
  /** Page: longest delay of a timer on the main thread, ms. Gaps grow from 50 ms on; stalls occur from 200 ms on. */
  pageDelayMs: { degraded: 30, invalid: 150 },
  /**
   * Media server or page: share of the window taken by hold-ups above `degraded`. At 5 % they alone can determine the
   * 95th percentile of the frame latency, even if each is short.
   */
  heldUpShare: { degraded: 0.025, invalid: 0.05 },
  /**
   * Time for which one thread waited for a processor within one second, ms (docs/benchmarks.md, "Waiting"). From 250 ms
   * on the longest gap grows by more than a frame period. No such second caused a stall; from 500 ms on a quarter of
   * the frames is missing.
   */
  threadWaitMs: { degraded: 250, invalid: 500 },
  /**
   * Mean of `threadWaitMs` over the window, ms. Above 150 ms fewer frames are presented; above 250 ms fewer than in any
   * undisturbed trial.
   */
  threadWaitMeanMs: { degraded: 150, invalid: 250 },
  /**
   * Longest delay of a thread that only sleeps, ms. It replaces the waiting time of all threads if the kernel does not
   * report waiting times.
   */
  wakeUpDelayMs: { degraded: 30, invalid: 100 },
  /**
   * Harness: longest delay of a timer, ms. The harness only takes a reading each second and waits for the programs that
   * it starts. Hold-ups of up to 200 ms changed nothing; from 1 s on a reading is missing.
   */
  harnessDelayMs: { degraded: 500, invalid: 1000 },
  /**
   * Longest time for which the link sent nothing although packets waited, ms. Up to a frame period at 60 fps a stop
   * moves a frame by at most one refresh. A longer stop extends the longest time without a new frame by more than that.
   */
  linkStopMs: { degraded: 17, invalid: 50 },
  /** Share of the window in which the link was stopped: the same share of its rate is missing. */
  linkStoppedShare: { degraded: 0.005, invalid: 0.02 },
  /**
   * Another machine: mean load over the trial, as a share of all its cores. The waiting time of its threads is unknown.
   */
  busyShare: { degraded: 0.8, invalid: 0.9 },
  /**
   * Largest steal time by the hypervisor in one second, cores. A value of 0.1 may be a single hold-up of 100 ms; a
   * longer hold-up also appears in the other readings. Above 0.3 the machine lacks processor time that a trial needs,
   * however short each hold-up is.
   */
  stolenCores: { degraded: 0.1, invalid: 0.3 },
  /**
   * Lateness of an application's start or end against its planned time, ms. Not from hold-ups: from half a second on,
   * values per second from the planned time fall into the wrong second.
   */
  plannedTimeMs: { degraded: 100, invalid: 500 },
  /**
   * Share of the window in which the processor limited a sending browser's encoder. The reason for the limits is that
   * of `heldUpShare`.
   */
  cpuLimitedShare: { degraded: 0.01, invalid: 0.05 },
  /**
   * Half the shortest round trip to a clock, ms. Latencies between two machines may be wrong by this amount. At 20 ms
   * the error exceeds a frame period, so latencies cannot be distinguished.
   */
  clockUncertaintyMs: { degraded: 2, invalid: 20 },
} as const;

export type Limit = { degraded: number; invalid: number };
