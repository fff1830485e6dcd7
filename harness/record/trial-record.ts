/** A trial's record as metrics and report see it. */
import type { Link } from '../../core/link.ts';
import { defaultMeasure } from '../../core/measure.ts';
import type { Measure } from '../../core/measure.ts';
import { SeriesFolder } from './series-folder.ts';
import type { HostRecord, QueueDelayRecord } from './series.ts';
import type { TrialFile } from './trial-file.ts';

/** The measured part of a trial, Unix ms of the harness's clock. */
export type Window = { startMs: number; endMs: number };

/** What is known of one stream of pictures, in whatever kind of study. */
export type StreamRecord = SeriesFolder & {
  window: Window;
  /** What it went through. */
  link: Pick<Link, 'rateBps' | 'schedule' | 'trace' | 'loss'>;
  host(): Promise<HostRecord[]>;
  /** What left the bottleneck, of all senders. */
  queueDelay(): Promise<Pick<QueueDelayRecord, 'timeMs' | 'sentBytes'>[]>;
};

export class TrialRecord extends SeriesFolder implements StreamRecord {
  readonly file: TrialFile;
  /** What the study chose of how it is measured. */
  readonly measure: Measure;

  constructor(file: TrialFile, directory: string, measure: Measure = defaultMeasure) {
    super(directory, file.clocks?.server.offsetMs ?? 0);
    this.file = file;
    this.measure = measure;
  }

  /** The measured window. Only trials that were completed have one. */
  get window(): Window {
    const { phases } = this.file;
    if (phases === null) throw new Error(`${this.file.trial.id} was not completed: it has no window`);
    return { startMs: phases.windowStartMs, endMs: phases.windowEndMs };
  }

  get windowS(): number {
    return (this.window.endMs - this.window.startMs) / 1000;
  }

  get link(): Link {
    return this.file.condition.link;
  }

  host(): Promise<HostRecord[]> {
    return this.series('host');
  }

  queueDelay(): Promise<QueueDelayRecord[]> {
    return this.series('queue-delay');
  }
}
