/**
 * Types of summary.json of a pairwise study: every cell with its medians and intervals, and results of the whole
 * matrix. Intervals of medians are valid whenever the study stopped. They take seven trials, or six if the number of
 * trials is fixed.
 */
import type { Estimate, Judgement } from '../../../core/vocabulary/estimate.ts';
import type { Judged } from '../../analysis/gate/gate.ts';
import type { Quantity } from '../../analysis/metrics/metric.ts';
import type { Verdict } from '../../record/trial-file.ts';
import type { Rank } from './analysis/ranking.ts';
import type { StoppingState } from './analysis/stopping-rule.ts';
import type { Triples } from './analysis/triples.ts';
import type { Claim, Measurement } from './claims.ts';

/** Quantities of a cell of the matrix. A ratio of 1 is 100 %. */
export const cellQuantities = [
  { id: 'throughput', title: 'Throughput', unit: 'bit/s', better: 'higher' },
  { id: 'share', title: 'Share of the max-min fair share', unit: 'ratio', better: 'higher' },
  { id: 'loss', title: 'Packets lost at the bottleneck', unit: 'ratio', better: 'lower' },
  { id: 'queue-delay', title: 'Queue delay, mean', unit: 'ms', better: 'lower' },
  { id: 'late', title: 'Packets with a round trip over 190 ms', unit: 'ratio', better: 'lower' },
] as const satisfies readonly Quantity[];

export type SideSummary = {
  contestant: string;
  /** Fair share of this side, bit/s. */
  dueBps: number;
  /** Median of each quantity, by id of the quantity. */
  values: Record<string, Estimate>;
  /** Values of each quantity, one per trial, in the order of `trials` of the cell. */
  trials: Record<string, (number | null)[]>;
  /**
   * Values at both edges of the gap between two modes of the throughput, bit/s. Null if the throughput has no two
   * modes.
   */
  modes: { below: number; above: number } | null;
};

export type CellSummary = {
  id: string;
  link: string;
  state: StoppingState | 'given-up';
  /** Reason why the cell was given up. Null if it was not given up. */
  reason: string | null;
  /** Folder names of the trials that count, in ascending order of rounds. */
  trials: string[];
  voided: number;
  /** Utilisation of the link by all services of the cell together, and the value of each trial. */
  utilisation: Estimate;
  utilisations: (number | null)[];
  sides: SideSummary[];
};

export type ContestantSummary = {
  name: string;
  title: string;
  models: string | null;
  choice: Record<string, unknown>;
  service: { id: string; title: string; params: unknown };
  kind: string;
  nominalCapBps: number | null;
  /**
   * Throughput of the service on a link that does not limit it. Null if the service has no cap, or if this was not
   * measured.
   */
  measuredCapBps: Estimate | null;
};

export type LinkSummary = {
  id: string;
  title: string;
  rateBps: number;
  halfWidthBps: number;
  /** Cap of each contestant on this link, bit/s, by name. Null if the contestant has no cap. */
  capsBps: Record<string, number | null>;
  contentiousness: Rank[];
  sensitivity: Rank[];
  triples: Triples;
  /** Pairs whose share differs from the usual effects of contender and incumbent, the largest difference first. */
  odd: { incumbent: string; contender: string; factor: number }[];
  /** Statistics of the smaller share of each pair. */
  losers: { n: number; median: number | null; belowNinety: number; belowFifty: number };
};

type TrialLine = { name: string; cell: string; verdict: Verdict; attempt: number; machine: string | null };

export type Measured = Measurement & {
  estimate: Estimate;
  /** Verdict on the bound that the claim states for this measurement; `right` if the claim states no bound. */
  levelVerdict: Judgement;
};

/** Result of comparing a claim with the matrix. */
export type Finding = Pick<Claim, 'text' | 'by' | 'observation' | 'ratesBps'> & {
  link: string;
  first: Measured;
  second: Measured;
  /** `elsewhere`: the claim is not made for a link of this rate. */
  verdict: Judgement | 'elsewhere';
};

export type PairsSummary = Judged & {
  format: 1;
  title: string;
  quantities: Quantity[];
  contestants: ContestantSummary[];
  links: LinkSummary[];
  cells: CellSummary[];
  /** Pairs whose share is not monotonic over the bandwidth. `fall` and `rise`: rates of both links, bit/s. */
  sweeps: { incumbent: string; contender: string; fall: [number, number]; rise: [number, number] }[];
  /** Claims for which the matrix has both measurements, one link after the other. */
  findings: Finding[];
  trials: TrialLine[];
};
