/** A trial of a plan, and its times. */
export type Trial = {
  /** Position in the plan, or in the round, from 1. */
  number: number;
  /** Name of its folder: "0001-baseline". */
  id: string;
  condition: string;
  /** Number of the repeat, from 1. */
  repeat: number;
  /** Equal for all conditions of a repeat, so that they have the same random losses. */
  seed: number;
};

/** Times of a trial in ms, and the logs and captures that it keeps. */
export type TrialTimes = {
  windowMs: number;
  /** Time before the window during which the applications that begin before it are in use. It is never measured. */
  settleMs: number;
  /** Time after the window during which all of them still run. */
  coolDownMs: number;
  queueLog: 'summary' | 'full' | 'off';
  pcap: boolean;
  /** Share of packets that may be lost outside the bottleneck. Above it, the trial is void. Null: not checked. */
  externalLossRatio: number | null;
};
