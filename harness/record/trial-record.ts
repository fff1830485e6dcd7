/** Record of a trial, as metrics and report use it. */
import { join } from 'node:path';
import { capturedRate } from '../../core/text/frame-rate.ts';
import type { Link } from '../../core/vocabulary/link.ts';
import { defaultMeasure, type GapLimits, gapLimits, type Measure } from '../../core/vocabulary/measure.ts';
import { isFlood, othersOf } from '../../core/vocabulary/subject.ts';
import type { Application } from '../definition/applications.ts';
import type { Series } from './schema/series.ts';
import { type LinkStopRecord, linkStopSeries } from './series/link-stops.ts';
import { type QueueDelayRecord, queueDelaySeries } from './series/queue-delay.ts';
import { SeriesFolder, type SeriesReader } from './series-folder.ts';
import type { TransportReading } from './transport.ts';
import type { ApplicationFile, TrialFile } from './trial-file.ts';

/** Measured part of a trial, Unix ms of the harness's clock. */
export type Window = { startMs: number; endMs: number };

/** Data of a stream of frames, in every kind of study. */
export type StreamRecord = SeriesFolder & {
  window: Window;
  /** Start of the measured window, from which schedules count, Unix ms of the harness's clock. */
  originMs: number;
  /** Limits of the times without a new frame. */
  gapLimits: GapLimits;
  /** Link of the stream. */
  link: Pick<Link, 'rateBps' | 'schedule' | 'trace' | 'loss'>;
  /** Bytes that left the bottleneck, of all senders. */
  queueDelay(): Promise<Pick<QueueDelayRecord, 'timeMs' | 'sentBytes'>[]>;
  /** Times at which the bottleneck stood still. */
  linkStops(): Promise<LinkStopRecord[]>;
};

/** Folder in a trial's folder that holds the series of all applications. */
export const applicationsFolder = 'applications';

/** A trial from the view of an application: its series, and those of the link. Default: the subject of the study. */
export class TrialRecord extends SeriesFolder implements StreamRecord {
  readonly file: TrialFile;
  /** Thresholds of the study. */
  readonly measure: Measure;
  readonly application: Application;
  /**
   * Data of this application in trial.json. Undefined if the trial was abandoned before the application was recorded.
   */
  readonly own: ApplicationFile | undefined;
  readonly #shared: SeriesFolder;
  readonly #readSeries: SeriesReader | undefined;

  constructor(
    file: TrialFile,
    directory: string,
    measure: Measure = defaultMeasure,
    name: string = file.condition.subject,
    readSeries?: SeriesReader,
  ) {
    const own = file.applications.find(application => application.name === name);
    super(join(directory, applicationsFolder, name), own?.clocks?.server.offsetMs ?? 0, readSeries);
    this.file = file;
    this.measure = measure;
    this.application = file.condition.applications.find(application => application.name === name)!;
    this.own = own;
    this.#shared = new SeriesFolder(directory, 0, readSeries);
    this.#readSeries = readSeries;
  }

  /** Returns the same trial from the view of another application. */
  as(name: string): TrialRecord {
    return new TrialRecord(this.file, this.#shared.directory, this.measure, name, this.#readSeries);
  }

  /** True if the application only fills the link. */
  get isFlood(): boolean {
    return isFlood(this.application);
  }

  /** Returns the records of the other applications that only fill the link. */
  floods(): TrialRecord[] {
    return othersOf({ ...this.file.condition, subject: this.application.name })
      .filter(isFlood)
      .map(({ name }) => this.as(name));
  }

  /** Connections of all floods, as read from the system. Null without a flood, or if no flood reported any. */
  get flood(): TransportReading | null {
    const readings = this.floods().flatMap(({ own }) => own?.transport ?? []);
    if (readings.length === 0) return null;
    const all = (of: (reading: TransportReading) => string) => [...new Set(readings.map(of))].join(' and ');
    return {
      label: all(({ label }) => label),
      evidence: all(({ evidence }) => evidence),
      flows: readings.flatMap(({ flows }) => flows),
    };
  }

  /**
   * Part of the measured window in which the application was in use and was read. It is the whole window unless the
   * application has a `start` or `stop`. Throws if the trial was not completed.
   */
  get window(): Window {
    const { phases } = this.file;
    if (phases === null) throw new Error(`${this.file.trial.id} was not completed: it has no window`);
    const { startMs, stopMs } = this.application;
    return {
      startMs: Math.max(phases.windowStartMs, startMs === null ? -Infinity : (this.own?.readyMs ?? Infinity)),
      endMs: Math.min(
        phases.windowEndMs,
        stopMs === null ? Infinity : (this.own?.readMs ?? this.own?.stopMs ?? Infinity),
      ),
    };
  }

  get gapLimits(): GapLimits {
    return gapLimits(this.measure, capturedRate(this.application));
  }

  get originMs(): number {
    return this.file.phases!.windowStartMs;
  }

  get windowS(): number {
    return (this.window.endMs - this.window.startMs) / 1000;
  }

  get link(): Link {
    return this.file.condition.link;
  }

  /** Reads a series of the application, or of the link and machine of the trial. */
  override read<R extends object>(series: Series<R>): Promise<R[]> {
    return series.of === 'trial' ? this.#shared.read(series) : super.read(series);
  }

  /** Queue delay of all senders at the bottleneck that the application sends through. */
  async queueDelay(): Promise<QueueDelayRecord[]> {
    const all = await this.read(queueDelaySeries);
    return all.filter(({ direction = 'down' }) => direction === this.application.direction);
  }

  /** Stops of the bottleneck that the application sends through. */
  async linkStops(): Promise<LinkStopRecord[]> {
    const all = await this.read(linkStopSeries);
    return all.filter(({ direction = 'down' }) => direction === this.application.direction);
  }
}
