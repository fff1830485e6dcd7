/** One trial of a plan, and its times. */
export type Trial = {
  /** Position in the plan, or the round, from 1. */
  number: number;
  /** Folder name, "0001-baseline". */
  id: string;
  condition: string;
  /** From 1. */
  repeat: number;
  /** The same for all conditions of one repeat: they see the same random losses. */
  seed: number;
};

/** Times of a trial, ms, and what is kept of it. */
export type TrialTimes = {
  windowMs: number;
  /** From when the applications that begin before the window are in use until it begins; never measured. */
  settleMs: number;
  /** After the window, in which they all still run. */
  coolDownMs: number;
  queueLog: 'summary' | 'full' | 'off';
  pcap: boolean;
  /** Share of packets that may be lost behind the bottleneck before a trial is void; null: it is not looked at. */
  externalLossRatio: number | null;
};
