/** Port of metrics. A metric is a pure function of one trial's record. */
import type { Plugin } from '../../../core/plugins.ts';
import type { Sharing } from '../../definition/sharing.ts';
import type { TrialRecord } from '../../record/trial-record.ts';

/** Description of a number that a metric returns. */
export type Quantity = {
  /** Name in summaries: "rtt-mean". */
  id: string;
  title: string;
  /** Unit of the value: "bit/s", "ms", "s", "1/s", "1/min", "ratio", "px", "dB", "cores", "bytes", "". */
  unit: string;
  /** Better direction for the viewer; null if there is none. */
  better: 'higher' | 'lower' | null;
  /**
   * Subject of the value: a link in one direction, or all applications of a trial together. Default: each application.
   */
  of?: 'link' | 'all';
};

/** Guide to a metric for docs/reading-results.md. */
type Reading = {
  /** Services and settings that the metric needs. */
  needs: string;
  /** Conclusions that it does not allow. */
  cannotTell: string;
  /** Definition of each quantity and its computation, by id. */
  definitions: Readonly<Record<string, string>>;
};

export type MetricPlugin = Plugin & {
  reading: Reading;
  quantities: readonly Quantity[];
  /** Value of each quantity; null if the trial does not have it (no flood, no baseline). */
  compute(record: TrialRecord): Promise<Record<string, number | null>>;
  /**
   * Values that need the stream alone, computed from a trial's values and the medians of the same service on the same
   * link without a flood. `sharing`: null if the link has no single capacity, or if its parties change.
   */
  besideAlone?(
    own: Readonly<Record<string, number | null>>,
    alone: Readonly<Record<string, number | null>>,
    sharing: Sharing | null,
  ): Record<string, number | null>;
};
