/** A trial of a plan: one condition in one repeat. */
export type Trial = {
  /** Position of the trial in the plan, or in its round, from 1. */
  number: number;
  /** Name of the trial and of its folder: "0001-baseline". */
  id: string;
  condition: string;
  /** Number of the repeat that the trial belongs to, from 1. */
  repeat: number;
  /**
   * Seed of the trial's random numbers. It is the same for all conditions of a repeat, so that they have the same
   * random losses.
   */
  seed: number;
};

/** Times of a trial, and settings for the log and the capture of its packets. */
export type TrialTimes = {
  windowMs: number;
  /**
   * Time before the window, ms, for which the applications that start before the window are in use. It is never
   * measured.
   */
  settleMs: number;
  /** Time after the window, ms, for which the applications still run. */
  coolDownMs: number;
  queueLog: 'summary' | 'full' | 'off';
  pcap: boolean;
  /**
   * Largest share of packets that may be lost outside the bottleneck, 0 to 1. The trial is void if more are lost. Null:
   * not checked.
   */
  externalLossRatio: number | null;
};
