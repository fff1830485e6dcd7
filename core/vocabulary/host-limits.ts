/**
 * Limits for disturbances of a trial by the machine. A trial that exceeds a limit is degraded or void
 * (harness/trial/verdict.ts).
 */

/**
 * Limits for each disturbance: above `degraded` a trial is degraded, above `invalid` it is void. They come from
 * experiments that held up each part of a trial (docs/benchmarks.md, "Hold-ups"), unless a comment says otherwise.
 * `degraded` is the longest hold-up that moved no momentary metric by more than its resolution; for the longest gap
 * between two frames the resolution is one frame period. `invalid` is the longest hold-up that never caused a stall and
 * never lowered the target of the stream, since a trial would attribute both to the network.
 */
export const hostLimits = {
  /**
   * Media server: longest delay of a timer, ms. Above 50 ms the gaps between frames grow; above 150 ms the target
   * falls.
   */
  senderDelayMs: { degraded: 30, invalid: 100 },
  /** Media server: longest delay of a frame against its schedule, ms. In an undisturbed server it is at most 37 ms. */
  frameLatenessMs: { degraded: 35, invalid: 100 },
  /**
   * Page: longest delay of a timer on the main thread, ms. Above 50 ms the gaps between frames grow; above 200 ms
   * stalls occur.
   */
  pageDelayMs: { degraded: 30, invalid: 150 },
  /**
   * Media server or page: share of the window for which hold-ups above `degraded` lasted. At 5 % hold-ups alone can
   * determine the 95th percentile of the frame latency, even if each is short.
   */
  heldUpShare: { degraded: 0.025, invalid: 0.05 },
  /**
   * Time for which one thread waited for a processor within one second, ms (docs/benchmarks.md, "Waiting"). From 250 ms
   * on the longest gap between frames grows by more than a frame period. From 500 ms on a quarter of the frames is
   * missing. No such second caused a stall.
   */
  threadWaitMs: { degraded: 250, invalid: 500 },
  /**
   * Mean over the window of the time for which one thread waited per second, ms. Above 150 ms fewer frames are
   * presented; above 250 ms there are fewer than in any undisturbed trial.
   */
  threadWaitMeanMs: { degraded: 150, invalid: 250 },
  /**
   * Longest delay of a thread that only sleeps, ms. It is used instead of the waiting times of all threads if the
   * kernel does not report these.
   */
  wakeUpDelayMs: { degraded: 30, invalid: 100 },
  /**
   * Harness: longest delay of a timer, ms. The harness only takes a reading each second and waits for the programs that
   * it starts. Hold-ups of up to 200 ms changed nothing; from 1 s on a reading is missing.
   */
  harnessDelayMs: { degraded: 500, invalid: 1000 },
  /**
   * Longest time for which the link sent nothing although packets waited, ms. A stop of up to a frame period at 60 fps
   * moves a frame by at most one refresh of the display. A longer stop extends the longest time without a new frame by
   * more than one refresh.
   */
  linkStopMs: { degraded: 17, invalid: 50 },
  /**
   * Share of the window for which the link sent nothing although packets waited. The same share of its rate is then
   * missing.
   */
  linkStoppedShare: { degraded: 0.005, invalid: 0.02 },
  /**
   * Another machine: mean load over the trial, as a share of all its cores. It is used because the waiting times of
   * that machine's threads are unknown.
   */
  busyShare: { degraded: 0.8, invalid: 0.9 },
  /**
   * Largest steal time by the hypervisor in one second, cores. A value of 0.1 may be a single hold-up of 100 ms; a
   * longer hold-up also shows in the other readings. Above 0.3 the machine lacks processor time that a trial needs,
   * however short each hold-up is.
   */
  stolenCores: { degraded: 0.1, invalid: 0.3 },
  /**
   * Delay of the start or end of an application after its planned time, ms. This limit does not come from the hold-ups:
   * from half a second on, values that are counted per second from the planned time fall into the wrong second.
   */
  plannedTimeMs: { degraded: 100, invalid: 500 },
  /**
   * Delay of a start that is planned before the window, as a share of the time from then to the window. It applies where
   * it allows more than `plannedTimeMs`: no value is counted before the window, so that only the time for which the
   * application has run at its beginning is shorter. This limit does not come from the hold-ups either.
   */
  plannedLeadShare: { degraded: 0.02, invalid: 0.1 },
  /**
   * Share of the window for which the processor limited the encoder of a sending browser. The limits have the same
   * reason as those of `heldUpShare`.
   */
  cpuLimitedShare: { degraded: 0.01, invalid: 0.05 },
  /**
   * Half the shortest round trip to a machine's clock, ms. Latencies between two machines may be wrong by this time. At
   * 20 ms the error exceeds a frame period, so different latencies cannot be distinguished.
   */
  clockUncertaintyMs: { degraded: 2, invalid: 20 },
} as const;

export type Limit = { degraded: number; invalid: number };
