/** How late the parts of the machine may be: what degrades a trial and what voids it (harness/runner/verdict.ts). */

/** Limits from measurements on a quiet and on a loaded machine: below `degraded` no effect on frame times was seen. */
export const hostLimits = {
  /** Media server: longest delay of a timer, ms. */
  senderDelayMs: { degraded: 30, invalid: 50 },
  /** Media server: longest lateness of a frame against its schedule, ms. */
  frameLatenessMs: { degraded: 35, invalid: 50 },
  /** Page: longest delay of a timer on the main thread, ms. */
  pageDelayMs: { degraded: 50, invalid: 100 },
  /** Longest delay of a thread that only sleeps, ms: what anything that runs here may have met. */
  wakeUpDelayMs: { degraded: 30, invalid: 50 },
  /**
   * Harness: longest delay of a timer, ms. It takes a reading each second and waits for the programs it starts; no more
   * hangs on it.
   */
  harnessDelayMs: { degraded: 500, invalid: 1000 },
  /**
   * Longest time that the link stood still although packets waited, ms. Up to a frame period of 60 fps it moves a frame by
   * one refresh at most; beyond, the longest time without a new frame grows by more than that.
   */
  linkStopMs: { degraded: 17, invalid: 50 },
  /** Share of the window in which it did: that much of the rate is missing. */
  linkStoppedShare: { degraded: 0.005, invalid: 0.02 },
  /** Mean work over the window, share of all cores. */
  busyShare: { degraded: 0.8, invalid: 0.9 },
  /** Longest theft by the hypervisor in one second, cores. */
  stolenCores: { degraded: 0.1, invalid: 0.3 },
  /** What an application began or ended after its time, ms. */
  plannedTimeMs: { degraded: 100, invalid: 500 },
  /** Share of the window in which a sending browser's encoder was limited by the processor. */
  cpuLimitedShare: { degraded: 0.01, invalid: 0.05 },
  /** Half the shortest round trip to a clock, ms. */
  clockUncertaintyMs: { degraded: 2, invalid: 20 },
} as const;
