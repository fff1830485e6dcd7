/** summary.json of a game study: results of every state, equilibria, course of the search, and costs of states. */
import type { Verdict } from '../../record/trial-file.ts';
import type { StateVerdict } from './analysis/certificate.ts';
import type { GainVerdict } from './analysis/gain.ts';
import type { Answer, Walk } from './analysis/search.ts';
import type { BesideQuantity } from './measure.ts';

/** A mean over trials, in the unit of the payoff or quantity. Bounds of payoffs are valid at every look. */
export type MeanValue = { value: number; low: number | null; high: number | null; n: number };

type DeviationSummary = {
  group: string;
  from: string;
  to: string;
  target: string;
  /** Gain of a player. For payoffs that are better when lower the sign is inverted, so more is always better. */
  gain: number | null;
  low: number | null;
  high: number | null;
  verdict: GainVerdict;
  trialsNeeded: number | null;
};

export type StateSummary = {
  id: string;
  /** Number of players, by group and strategy. */
  counts: number[][];
  trials: number;
  verdict: StateVerdict;
  regret: number | null;
  /** By group and strategy. Null if no player uses the strategy, or if nothing was measured. */
  payoffs: (MeanValue | null)[][];
  deviations: DeviationSummary[];
  /** Verdict at other tolerances, by their titles. */
  at: Record<string, StateVerdict>;
  /** Verdict by the paper's rule. Null if trials are missing. */
  paper: boolean | null;
  /**
   * Share of the link of all players of a strategy together, by the model of Ware et al. Null if its assumptions do not
   * hold.
   */
  model: { strategy: number; share: number } | null;
  /**
   * Payoffs of the first part of the windows minus those of the whole windows: means of the differences of each trial,
   * by group and strategy. Each bound holds with 95 %.
   */
  shorter: { windowMs: number; differences: (MeanValue | null)[][] }[];
  /** Sum of all players' payoffs. */
  total: number | null;
  /**
   * Jain's index of all players' payoffs. Players of a group and strategy count as equal. Null if payoffs are not
   * rates.
   */
  jain: number | null;
  /** Means over trials, by quantity. */
  link: Record<string, number | null>;
  beside: Record<string, Record<string, number | null>>;
};

/** Answer, and verdict of each state, for windows of this length. */
export type ShorterWindows = {
  windowMs: number;
  answer: Pick<Answer, 'kind' | 'states'> | null;
  verdicts: Record<string, StateVerdict>;
};

/** Loss of an application that is not a player at an equilibrium, for one quantity. Values are means over trials. */
export type BesideHarm = {
  application: string;
  quantity: BesideQuantity;
  /** Worst equilibrium for the application. */
  worst: { id: string; value: number };
  /** Best measured state for the application. */
  best: { id: string; value: number };
  /** Loss relative to the best state (Ware et al., HotNets 2019): 0 is no loss, 1 is a loss of everything. */
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
  /** `trials`: those that count. `withoutPayoff`: valid ones in which a player has no payoff. `voided`: void ones. */
  trials: number;
  withoutPayoff: number;
  voided: number;
  /** Null if the study is not complete. */
  answer: (Omit<Answer, 'walks'> & { walks: Omit<Walk, 'certificates'>[] }) | null;
  states: StateSummary[];
  /** Results of the first parts of the windows alone, shortest first. Empty if no window is long enough. */
  shorter: ShorterWindows[];
  /**
   * Symmetric mixed equilibria: probability of the second strategy. Null if the game has several groups or more
   * strategies.
   */
  mixed: { p: number; isStable: boolean }[] | null;
  /** Equilibria by the paper's rule. `asked`: number of states with enough trials for it. */
  paper: { named: string[]; asked: number };
  /**
   * Price of anarchy: largest total of a measured state, divided by the least total of an equilibrium. Null if totals
   * cannot be compared.
   */
  priceOfAnarchy: number | null;
  /** Price of anarchy for applications that are not players. Empty without an equilibrium or such an application. */
  besideHarm: BesideHarm[];
  /** Statement of the paper about this game. */
  published: string | null;
  givenUp: { state: string; reason: string }[];
  /** Counts of each state that the answer or `givenUp` names, by id. Some of them were never measured. */
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
