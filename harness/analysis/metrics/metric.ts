/** Port of metrics. A metric is a pure function of the record of one trial. */
import type { Plugin } from '../../../core/plugins.ts';
import type { Sharing } from '../../definition/sharing.ts';
import type { TrialRecord } from '../../record/trial-record.ts';

/** Description of a number that a metric returns. */
export type Quantity = {
  /** Name of the quantity in summaries, for example "rtt-mean". */
  id: string;
  title: string;
  /** Unit of the value: "bit/s", "ms", "s", "1/s", "1/min", "ratio", "px", "dB", "cores", "bytes", "". */
  unit: string;
  /** Direction that is better for the viewer; null if neither is. */
  better: 'higher' | 'lower' | null;
  /**
   * Subject of the value: a link in one direction, or all applications of a trial together. Default: a single
   * application.
   */
  of?: 'link' | 'all';
};

/** Text of a metric for readers, for docs/reading-results.md. */
type Reading = {
  /** Services and settings without which the metric has no values. */
  needs: string;
  /** Conclusions that the metric does not allow. */
  cannotTell: string;
  /** Definition of each quantity and of its computation, by the id of the quantity. */
  definitions: Readonly<Record<string, string>>;
};

export type MetricPlugin = Plugin & {
  reading: Reading;
  quantities: readonly Quantity[];
  /** Computes the value of each quantity; null if the trial does not have the value (no flood, no baseline). */
  compute(record: TrialRecord): Promise<Record<string, number | null>>;
  /**
   * Computes values that need the stream alone. Inputs: the values of a trial, and the medians of the same service on
   * the same link without a flood. `sharing`: null if the link has no single capacity, or if its parties change.
   */
  besideAlone?(
    own: Readonly<Record<string, number | null>>,
    alone: Readonly<Record<string, number | null>>,
    sharing: Sharing | null,
  ): Record<string, number | null>;
};
