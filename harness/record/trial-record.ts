/** A trial's record as metrics and report see it. */
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

/** The measured part of a trial, Unix ms of the harness's clock. */
export type Window = { startMs: number; endMs: number };

/** What is known of one stream of frames, in whatever kind of study. */
export type StreamRecord = SeriesFolder & {
  window: Window;
  /** Start of the measured window, from which schedules count, Unix ms of the harness's clock. */
  originMs: number;
  /** Of its times without a new frame. */
  gapLimits: GapLimits;
  /** What it went through. */
  link: Pick<Link, 'rateBps' | 'schedule' | 'trace' | 'loss'>;
  /** What left the bottleneck, of all senders. */
  queueDelay(): Promise<Pick<QueueDelayRecord, 'timeMs' | 'sentBytes'>[]>;
  /** When the bottleneck stood still. */
  linkStops(): Promise<LinkStopRecord[]>;
};

/** Folder of the series of all applications in a trial's. */
export const applicationsFolder = 'applications';

/**
 * A trial as one of its applications has it: its own series, and those of the link. The subject of the study where not
 * said.
 */
export class TrialRecord extends SeriesFolder implements StreamRecord {
  readonly file: TrialFile;
  /** What the study chose of how it is measured. */
  readonly measure: Measure;
  /** Whose record this is. */
  readonly application: Application;
  /** What the trial tells of it; undefined where the trial was given up before. */
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

  /** The same trial as another of its applications has it. */
  as(name: string): TrialRecord {
    return new TrialRecord(this.file, this.#shared.directory, this.measure, name, this.#readSeries);
  }

  /** Whether it does nothing but fill the link. */
  get isFlood(): boolean {
    return isFlood(this.application);
  }

  /** The greedy transfers beside it. */
  floods(): TrialRecord[] {
    return othersOf({ ...this.file.condition, subject: this.application.name })
      .filter(isFlood)
      .map(({ name }) => this.as(name));
  }

  /** What the floods' connections really were; null without a flood, or where none has told. */
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
   * The part of the measured window in which the application was in use and was read: all of it unless it has times of
   * its own. Only trials that were completed have one.
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

  /** A series of the application, or of the link and machine of the trial. */
  override read<R extends object>(series: Series<R>): Promise<R[]> {
    return series.of === 'trial' ? this.#shared.read(series) : super.read(series);
  }

  /** At the bottleneck that the application sends through, of everybody. */
  async queueDelay(): Promise<QueueDelayRecord[]> {
    const all = await this.read(queueDelaySeries);
    return all.filter(({ direction = 'down' }) => direction === this.application.direction);
  }

  /** Of the bottleneck that the application sends through. */
  async linkStops(): Promise<LinkStopRecord[]> {
    const all = await this.read(linkStopSeries);
    return all.filter(({ direction = 'down' }) => direction === this.application.direction);
  }
}
