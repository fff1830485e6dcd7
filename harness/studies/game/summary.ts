/** Types of summary.json of a game study: results of every state, equilibria, path of the search, and costs. */
import type { Estimate } from '../../../core/vocabulary/estimate.ts';
import type { Judged } from '../../analysis/gate/gate.ts';
import type { Verdict } from '../../record/trial-file.ts';
import type { StateVerdict } from './analysis/certificate.ts';
import type { GainVerdict } from './analysis/gain.ts';
import type { Answer, Walk } from './analysis/search.ts';
import type { BesideQuantity } from './measure.ts';

/**
 * Mean over trials, in the unit of the payoff or quantity. Bounds of payoffs stay valid when checked after every trial.
 */
export type MeanValue = Estimate & { value: number };

type DeviationSummary = {
  group: string;
  from: string;
  to: string;
  target: string;
  /**
   * Gain of a player by the switch. The sign is inverted for payoffs for which lower is better, so a positive gain is
   * always an improvement.
   */
  gain: number | null;
  low: number | null;
  high: number | null;
  verdict: GainVerdict;
  trialsNeeded: number | null;
};

export type StateSummary = {
  id: string;
  /** Number of players, as `counts[group][strategy]`. */
  counts: number[][];
  trials: number;
  verdict: StateVerdict;
  regret: number | null;
  /** Payoffs, as `payoffs[group][strategy]`. Null if no player uses the strategy, or if nothing was measured. */
  payoffs: (MeanValue | null)[][];
  deviations: DeviationSummary[];
  /** Verdict on the state at each of the other tolerances, by title of the tolerance. */
  at: Record<string, StateVerdict>;
  /** True if the paper's rule calls the state an equilibrium. Null if trials are missing. */
  paper: boolean | null;
  /**
   * Share of the link that all players of `strategy` get together, by the model of Ware et al. Null if the assumptions
   * of the model do not hold.
   */
  model: { strategy: number; share: number } | null;
  /**
   * Payoffs of the first part of the windows minus payoffs of the whole windows: mean over trials of the difference, as
   * `differences[group][strategy]`. Each bound holds with 95 %.
   */
  shorter: { windowMs: number; differences: (MeanValue | null)[][] }[];
  /** Sum of the payoffs of all players. */
  total: number | null;
  /**
   * Jain's index of the payoffs of all players. Players of the same group and strategy count as equal. Null if payoffs
   * are not rates.
   */
  jain: number | null;
  /** Quantities of the link, means over trials, by metric. */
  link: Record<string, number | null>;
  beside: Record<string, Record<string, number | null>>;
};

/** Answer and verdict on each state if only the first `windowMs` of each window are used. */
export type ShorterWindows = {
  windowMs: number;
  answer: Pick<Answer, 'kind' | 'states'> | null;
  verdicts: Record<string, StateVerdict>;
};

/** Loss of an application that is not a player at an equilibrium, in one quantity. Values are means over trials. */
export type BesideHarm = {
  application: string;
  quantity: BesideQuantity;
  /** Equilibrium that is worst for the application, with the value of the quantity. */
  worst: { id: string; value: number };
  /** Measured state that is best for the application, with the value of the quantity. */
  best: { id: string; value: number };
  /** Loss relative to the best state (Ware et al., HotNets 2019): 0 is no loss, 1 is a total loss. */
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
  /**
   * Numbers of trials. `trials`: trials that count. `withoutPayoff`: valid trials in which a player has no payoff.
   * `voided`: void trials.
   */
  trials: number;
  withoutPayoff: number;
  voided: number;
  /** Answer of the search. Null if the study is not complete. */
  answer: (Omit<Answer, 'walks'> & { walks: Omit<Walk, 'certificates'>[] }) | null;
  states: StateSummary[];
  /** Results if only the first part of each window is used, shortest part first. Empty if no window is long enough. */
  shorter: ShorterWindows[];
  /**
   * Symmetric mixed equilibria. `p`: probability of the second strategy. Null if the game has several groups or more
   * than two strategies.
   */
  mixed: { p: number; isStable: boolean }[] | null;
  /** Equilibria by the paper's rule. `asked`: number of states with enough trials for the rule. */
  paper: { named: string[]; asked: number };
  /**
   * Price of anarchy: the largest total payoff of any measured state, divided by the least total of an equilibrium.
   * Null if totals cannot be compared, or if payoffs are shares of the link.
   */
  priceOfAnarchy: number | null;
  /** Harm to applications that are not players. Empty if there is no equilibrium or no such application. */
  besideHarm: BesideHarm[];
  /** Statement of the paper about this game. Null if there is none. */
  published: string | null;
  givenUp: { state: string; reason: string }[];
  /**
   * Number of players by group and strategy of each state that `answer` or `givenUp` names, by id of the state. Some of
   * these states were never measured.
   */
  named: Record<string, number[][]>;
};

export type GameSummary = Judged & {
  format: 1;
  study: string;
  title: string;
  payoff: { quantity: string; title: string; unit: string; better: 'higher' | 'lower' };
  confidence: number;
  games: GameCaseSummary[];
  trials: { name: string; condition: string; verdict: Verdict; attempt: number }[];
};
