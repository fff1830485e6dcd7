/** summary.json of a pairwise study: every cell with its medians and intervals, and results of the whole matrix. */
import type { Quantity } from '../../analysis/metrics/metric.ts';
import type { Verdict } from '../../record/trial-file.ts';
import type { Rank } from './analysis/ranking.ts';
import type { StoppingState } from './analysis/stopping-rule.ts';
import type { Triples } from './analysis/triples.ts';
import type { Claim, Measurement } from './claims.ts';

/**
 * Median over trials, with a 95 % interval that is valid whenever the study stopped. The interval is null if there are
 * too few trials (below seven; below six if their number is fixed).
 */
export type Estimate = { value: number | null; low: number | null; high: number | null; n: number };

/** Quantities of a cell of the matrix. Ratios: 1 = 100 %. */
export const cellQuantities = [
  { id: 'throughput', title: 'Throughput', unit: 'bit/s', better: 'higher' },
  { id: 'share', title: 'Share of the max-min fair share', unit: 'ratio', better: 'higher' },
  { id: 'loss', title: 'Packets lost at the bottleneck', unit: 'ratio', better: 'lower' },
  { id: 'queue-delay', title: 'Queue delay, mean', unit: 'ms', better: 'lower' },
  { id: 'late', title: 'Packets with a round trip over 190 ms', unit: 'ratio', better: 'lower' },
] as const satisfies readonly Quantity[];

export type SideSummary = {
  contestant: string;
  /** Fair share, bit/s. */
  dueBps: number;
  /** By quantity. */
  values: Record<string, Estimate>;
  /** Values of each trial, in the order of `trials`. */
  trials: Record<string, (number | null)[]>;
  /** Bounds of the gap between two modes of its throughput, bit/s. Null if it has no two modes. */
  modes: { below: number; above: number } | null;
};

export type CellSummary = {
  id: string;
  link: string;
  state: StoppingState | 'given-up';
  /** Reason why it was given up. Null if it was not. */
  reason: string | null;
  /** Folder names of the trials that count, in the order of their rounds. */
  trials: string[];
  voided: number;
  /** Utilisation of the link by both together. */
  utilisation: Estimate;
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
  /** Throughput without a limit by the link. Null if the service has no cap, or if it was not measured. */
  measuredCapBps: Estimate | null;
};

export type LinkSummary = {
  id: string;
  title: string;
  rateBps: number;
  halfWidthBps: number;
  /** Cap used for each contestant on this link, bit/s. Null: no cap. */
  capsBps: Record<string, number | null>;
  contentiousness: Rank[];
  sensitivity: Rank[];
  triples: Triples;
  /** Pairs whose share differs from the usual effects of both services, largest difference first. */
  odd: { incumbent: string; contender: string; factor: number }[];
  /** Shares of the loser of each pair. */
  losers: { n: number; median: number | null; belowNinety: number; belowFifty: number };
};

type TrialLine = { name: string; cell: string; verdict: Verdict; attempt: number };

export type Measured = Measurement & {
  estimate: Estimate;
  /** Verdict on the bound that the claim states for this measurement; `right` if it states none. */
  levelVerdict: Judgement;
};

export type Judgement = 'right' | 'wrong' | 'undecided';

/** A claim compared with the matrix. */
export type Finding = Pick<Claim, 'text' | 'by' | 'observation' | 'ratesBps'> & {
  link: string;
  first: Measured;
  second: Measured;
  /** `elsewhere`: the claim does not apply to a link of this rate. */
  verdict: Judgement | 'elsewhere';
};

export type PairsSummary = {
  format: 1;
  title: string;
  quantities: Quantity[];
  contestants: ContestantSummary[];
  links: LinkSummary[];
  cells: CellSummary[];
  /** Pairs whose share is not monotonic over the bandwidth. */
  sweeps: { incumbent: string; contender: string; fall: [number, number]; rise: [number, number] }[];
  /** Claims for which the matrix has both measurements, link by link. */
  findings: Finding[];
  trials: TrialLine[];
};

export const noEstimate: Estimate = { value: null, low: null, high: null, n: 0 };
