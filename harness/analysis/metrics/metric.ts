/** Port of metrics. A metric is a pure function of the record of one trial. */
import type { Plugin } from '../../../core/plugins.ts';
import type { ValuesByPart } from '../../../core/vocabulary/subject.ts';
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
   * Subject of the value, if a trial has a single one: a link in one direction, or all applications together. Default:
   * each application has a value of its own.
   */
  of?: 'link' | 'all';
  /** True if the applications other than the subject also have a value together (`MetricPlugin.computeTogether`). */
  together?: true;
  /** True if each further bottleneck of a row also has a value (`TrialRecord.atHop`). */
  perHop?: true;
  /** True if the bottlenecks from the clients also have a value. */
  perDirection?: true;
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

/** Values of quantities of one part of a trial, by id; null if the trial does not have the value. */
export type MetricValues = Record<string, number | null>;

export type MetricPlugin = Plugin & {
  reading: Reading;
  quantities: readonly Quantity[];
  /** Computes the value of each quantity for the application of the record, and for what it shares with the others. */
  compute(record: TrialRecord): Promise<MetricValues>;
  /**
   * Computes the quantities of the link (`of: 'link'`), at the bottleneck of the record. A metric that has quantities of
   * both kinds has this function, and `compute` leaves these quantities out: the first bottleneck of the link need not
   * be one that the application crosses.
   */
  computeLink?(record: TrialRecord): Promise<MetricValues>;
  /**
   * Computes the values of several applications together, for each quantity with `together`. `subject`: record that
   * gives window and direction. Null if there is no application.
   */
  computeTogether?(records: readonly TrialRecord[], subject: TrialRecord): Promise<MetricValues>;
  /**
   * Computes values that need the stream alone. Inputs: the values of a trial, and the medians of the same service on
   * the same link without other applications. `sharing`: null if the link has no single capacity, or if its parties
   * change.
   */
  besideAlone?(
    trial: ValuesByPart<Readonly<MetricValues>>,
    alone: Readonly<MetricValues>,
    sharing: Sharing | null,
  ): ValuesByPart<MetricValues>;
};
