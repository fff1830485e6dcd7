/** What a metric is: a pure function of one trial's record. */
import type { Plugin } from '../../../core/plugins.ts';
import type { Sharing } from '../../definition/sharing.ts';
import type { TrialRecord } from '../../record/trial-record.ts';

/** A number that a metric gives, described once. */
export type Quantity = {
  /** Name in summaries: "rtt-mean". */
  id: string;
  title: string;
  /** Unit of the value: "bit/s", "ms", "s", "1/s", "1/min", "ratio", "px", "dB", "cores", "bytes", "". */
  unit: string;
  /** Which way is better for the viewer; null where neither is. */
  better: 'higher' | 'lower' | null;
  /**
   * What it is of: a link in one direction, or the applications of a trial together; of each application where not
   * said.
   */
  of?: 'link' | 'all';
};

/** How to read a metric: for docs/reading-results.md. */
type Reading = {
  /** Which services and settings give it. */
  needs: string;
  /** What it must not be taken for. */
  cannotTell: string;
  /** What each quantity is and how it is computed, by its id. */
  definitions: Readonly<Record<string, string>>;
};

export type MetricPlugin = Plugin & {
  reading: Reading;
  quantities: readonly Quantity[];
  /** One value for each quantity; null where the trial has none (no flood, no baseline). */
  compute(record: TrialRecord): Promise<Record<string, number | null>>;
  /**
   * Values that it takes the stream alone to tell, from a trial's own values and the medians of the same service on the
   * same link without a flood. `sharing`: null where the link has no one capacity, or not the same parties all the
   * time.
   */
  besideAlone?(
    own: Readonly<Record<string, number | null>>,
    alone: Readonly<Record<string, number | null>>,
    sharing: Sharing | null,
  ): Record<string, number | null>;
};
