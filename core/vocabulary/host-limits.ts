/** How late the parts of the machine may be: what degrades a trial and what voids it (harness/trial/verdict.ts). */

/**
 * Where not said otherwise, limits follow from hold-ups of each part (docs/benchmarks.md, "Hold-ups"). `degraded` is the
 * longest of which no metric of the moment moved by more than its resolution: the longest gap between two frames by one
 * frame period. `invalid` is the longest that never made a stall and never lowered the target of the stream: what a
 * trial counts as the network's doing.
 */
export const hostLimits = {
  /** Media server: longest delay of a timer, ms. Gaps grow from 50 ms on, the target falls from 150 ms on. */
  senderDelayMs: { degraded: 30, invalid: 100 },
  /** Media server: longest lateness of a frame against its schedule, ms. Undisturbed it is up to 37 ms. */
  frameLatenessMs: { degraded: 35, invalid: 100 },
  /** Page: longest delay of a timer on the main thread, ms. Gaps grow from 50 ms on, stalls come from 200 ms on. */
  pageDelayMs: { degraded: 30, invalid: 150 },
  /**
   * Share of the window that hold-ups above `degraded` add up to, of the media server or a page. At 5 % they can be all
   * of what the 95th percentile of the frame latency shows, however short each was.
   */
  heldUpShare: { degraded: 0.025, invalid: 0.05 },
  /**
   * How long one thread waited for a processor in one second, ms (docs/benchmarks.md, "Waiting"). From 250 ms on the
   * longest gap grows by more than a frame period. No second made a stall; from 500 ms on a quarter of the frames is
   * missing.
   */
  threadWaitMs: { degraded: 250, invalid: 500 },
  /**
   * Mean of that over the window, ms. Above 150 ms fewer frames are presented; above 250 ms fewer than in any
   * undisturbed trial.
   */
  threadWaitMeanMs: { degraded: 150, invalid: 250 },
  /**
   * Longest delay of a thread that only sleeps, ms: where the kernel does not tell how long threads waited, it stands
   * for any of them.
   */
  wakeUpDelayMs: { degraded: 30, invalid: 100 },
  /**
   * Harness: longest delay of a timer, ms. It takes a reading each second and waits for the programs it starts; no more
   * hangs on it. Hold-ups of up to 200 ms moved nothing; from 1 s on a reading is missing.
   */
  harnessDelayMs: { degraded: 500, invalid: 1000 },
  /**
   * Longest time that the link stood still although packets waited, ms. Up to a frame period of 60 fps it moves a frame by
   * one refresh at most; beyond, the longest time without a new frame grows by more than that.
   */
  linkStopMs: { degraded: 17, invalid: 50 },
  /** Share of the window in which it did: that much of the rate is missing. */
  linkStoppedShare: { degraded: 0.005, invalid: 0.02 },
  /** Mean work of another machine over the trial, share of all its cores: how long threads wait there is not known. */
  busyShare: { degraded: 0.8, invalid: 0.9 },
  /**
   * Longest theft by the hypervisor in one second, cores. 0.1 may be one hold-up of 100 ms. One longer shows in the
   * other readings as well; beyond 0.3 the machine lacks a part of what a trial needs, in however short pieces.
   */
  stolenCores: { degraded: 0.1, invalid: 0.3 },
  /**
   * What an application began or ended after its time, ms. Not from hold-ups: from half a second on, what is counted by
   * seconds from the planned time lies in the wrong one.
   */
  plannedTimeMs: { degraded: 100, invalid: 500 },
  /** Share of the window in which a sending browser's encoder was limited by the processor; as `heldUpShare`. */
  cpuLimitedShare: { degraded: 0.01, invalid: 0.05 },
  /**
   * Half the shortest round trip to a clock, ms: by so much latencies between two machines may be wrong. At 20 ms that
   * is more than a frame period, and no latency can be told from another.
   */
  clockUncertaintyMs: { degraded: 2, invalid: 20 },
} as const;

export type Limit = { degraded: number; invalid: number };
