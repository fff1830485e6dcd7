/**
 * summary.json of a game study: what every state gave, which are equilibria, how the search went, and what states cost.
 */
import type { Verdict } from '../../record/trial-file.ts';
import type { StateVerdict } from './analysis/certificate.ts';
import type { GainVerdict } from './analysis/gain.ts';
import type { Answer, Walk } from './analysis/search.ts';
import type { BesideQuantity } from './measure.ts';

/** A mean over trials; bounds of payoffs hold at every look. In the payoff's unit, or the quantity's. */
export type MeanValue = { value: number; low: number | null; high: number | null; n: number };

type DeviationSummary = {
  group: string;
  from: string;
  to: string;
  target: string;
  /** What a player gains; less is better payoffs are turned round, so that more is better. */
  gain: number | null;
  low: number | null;
  high: number | null;
  verdict: GainVerdict;
  trialsNeeded: number | null;
};

export type StateSummary = {
  id: string;
  /** How many play each strategy, by group and strategy. */
  counts: number[][];
  trials: number;
  verdict: StateVerdict;
  regret: number | null;
  /** By group and strategy; null where nobody plays it or nothing was measured. */
  payoffs: (MeanValue | null)[][];
  deviations: DeviationSummary[];
  /** Verdict at other tolerances, by their titles. */
  at: Record<string, StateVerdict>;
  /** By the paper's rule; null where trials are missing. */
  paper: boolean | null;
  /**
   * Share of the link that the players of a strategy have together by the model of Ware et al.; null where its
   * assumptions do not hold.
   */
  model: { strategy: number; share: number } | null;
  /**
   * By how much the payoffs of the beginnings of the windows alone differ from those of the whole windows: means of the
   * differences trial by trial, by group and strategy. Each bound holds with 95 %.
   */
  shorter: { windowMs: number; differences: (MeanValue | null)[][] }[];
  /** Sum of all players' payoffs. */
  total: number | null;
  /**
   * Jain's index of all players' payoffs, those of a group and strategy taken as alike; null where payoffs are no
   * rates.
   */
  jain: number | null;
  /** Means over trials, by quantity. */
  link: Record<string, number | null>;
  beside: Record<string, Record<string, number | null>>;
};

/** The answer and the verdict of each state, had all windows been that long. */
export type ShorterWindows = {
  windowMs: number;
  answer: Pick<Answer, 'kind' | 'states'> | null;
  verdicts: Record<string, StateVerdict>;
};

/** What an application beside the players loses at an equilibrium, of one quantity; values are means over trials. */
export type BesideHarm = {
  application: string;
  quantity: BesideQuantity;
  /** The equilibrium that is worst for it. */
  worst: { id: string; value: number };
  /** The state that is best for it, of all that were measured. */
  best: { id: string; value: number };
  /** Of what it has in the best state (Ware et al., HotNets 2019): 0 is none, 1 is all of it. */
  harm: number;
};

export type GameCaseSummary = {
  id: string;
  title: string;
  link: string;
  bufferBdp: number | null;
  rateBps: number;
  groups: { name: string; players: number; rttMs: number | null }[];
  strategies: { name: string; title: string }[];
  fairShareBps: number;
  tolerance: number;
  /** Trials that count; valid ones in which a player has no payoff; void ones. */
  trials: number;
  withoutPayoff: number;
  voided: number;
  /** Null where the study is not complete. */
  answer: (Omit<Answer, 'walks'> & { walks: Omit<Walk, 'certificates'>[] }) | null;
  states: StateSummary[];
  /** What the beginnings of the windows alone say, shortest first; empty where no window is long enough. */
  shorter: ShorterWindows[];
  /**
   * Symmetric mixed equilibria: probability of the second strategy. Null where the game has several groups or more
   * strategies.
   */
  mixed: { p: number; isStable: boolean }[] | null;
  /** Equilibria by the paper's rule, of the states that have the trials for it; `asked`: how many have. */
  paper: { named: string[]; asked: number };
  /**
   * Of the equilibria, the total of the best state measured over the least total of any of them; null where totals say
   * nothing.
   */
  priceOfAnarchy: number | null;
  /** The price of anarchy for those who choose nothing; empty where there is no equilibrium, or nobody beside. */
  besideHarm: BesideHarm[];
  /** What the paper says of it. */
  published: string | null;
  givenUp: { state: string; reason: string }[];
  /** Counts, by id, of each state that the answer or `givenUp` names: some were never measured. */
  named: Record<string, number[][]>;
};

export type GameSummary = {
  format: 1;
  study: string;
  title: string;
  payoff: { quantity: string; title: string; unit: string; better: 'higher' | 'lower' };
  confidence: number;
  games: GameCaseSummary[];
  trials: { name: string; condition: string; verdict: Verdict; attempt: number }[];
};
