/** summary.json of a pairwise study: every cell with its medians and intervals, and what the matrix says as a whole. */
import type { Quantity } from '../../analysis/metrics/metric.ts';
import type { Verdict } from '../../record/trial-file.ts';
import type { Rank } from './analysis/ranking.ts';
import type { StoppingState } from './analysis/stopping-rule.ts';
import type { Triples } from './analysis/triples.ts';
import type { Claim, Measurement } from './claims.ts';

/**
 * Median over trials, with an interval that holds it with 95 % whenever the study stopped; the interval is null where
 * there are too few for one (below seven; six of a fixed number).
 */
export type Estimate = { value: number | null; low: number | null; high: number | null; n: number };

/** What a cell of the matrix is measured by. Ratios: 1 = 100 %. */
export const cellQuantities = [
  { id: 'throughput', title: 'Throughput', unit: 'bit/s', better: 'higher' },
  { id: 'share', title: 'Share of the max-min fair share', unit: 'ratio', better: 'higher' },
  { id: 'loss', title: 'Packets lost at the bottleneck', unit: 'ratio', better: 'lower' },
  { id: 'queue-delay', title: 'Queue delay, mean', unit: 'ms', better: 'lower' },
  { id: 'late', title: 'Packets with a round trip over 190 ms', unit: 'ratio', better: 'lower' },
] as const satisfies readonly Quantity[];

export type SideSummary = {
  contestant: string;
  /** What it was due, bit/s. */
  dueBps: number;
  /** By quantity. */
  values: Record<string, Estimate>;
  /** What each trial gave, in the order of `trials`. */
  trials: Record<string, (number | null)[]>;
  /** Bounds of the gap between two modes of its throughput, bit/s, or null. */
  modes: { below: number; above: number } | null;
};

export type CellSummary = {
  id: string;
  link: string;
  state: StoppingState | 'given-up';
  /** Why it was given up, or null. */
  reason: string | null;
  /** Folder names of the trials that count, in the order of their rounds. */
  trials: string[];
  voided: number;
  /** Of the link, both together. */
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
  /** Where nothing held it; null where it takes all there is, or was not measured so. */
  measuredCapBps: Estimate | null;
};

export type LinkSummary = {
  id: string;
  title: string;
  rateBps: number;
  halfWidthBps: number;
  /** What was taken for each contestant's cap on this link, bit/s; null: none. */
  capsBps: Record<string, number | null>;
  contentiousness: Rank[];
  sensitivity: Rank[];
  triples: Triples;
  /** Pairs that differ from what both their services do elsewhere, the oddest first. */
  odd: { incumbent: string; contender: string; factor: number }[];
  /** Of the shares of each pair's loser. */
  losers: { n: number; median: number | null; belowNinety: number; belowFifty: number };
};

type TrialLine = { name: string; cell: string; verdict: Verdict; attempt: number };

export type Measured = Measurement & {
  estimate: Estimate;
  /** Whether what the claim says of it by itself is so; `right` where it says nothing. */
  levelVerdict: Judgement;
};

export type Judgement = 'right' | 'wrong' | 'undecided';

/** A claim held against the matrix. */
export type Finding = Pick<Claim, 'text' | 'by' | 'observation' | 'ratesBps'> & {
  link: string;
  first: Measured;
  second: Measured;
  /** `elsewhere`: the claim was not made for such a link. */
  verdict: Judgement | 'elsewhere';
};

export type PairsSummary = {
  format: 1;
  title: string;
  quantities: Quantity[];
  contestants: ContestantSummary[];
  links: LinkSummary[];
  cells: CellSummary[];
  /** Pairs whose share goes up and down with the bandwidth. */
  sweeps: { incumbent: string; contender: string; fall: [number, number]; rise: [number, number] }[];
  /** The claims that it has both measurements of, link by link. */
  findings: Finding[];
  trials: TrialLine[];
};

export const noEstimate: Estimate = { value: null, low: null, high: null, n: 0 };
