/** Record of a trial with its series, as metrics and report use it. */
import { join } from 'node:path';
import { bottleneckName, firstHopOf, hopCount, isCrossed, ownRowOf } from '../../core/vocabulary/hops.ts';
import type { Direction, Link } from '../../core/vocabulary/link.ts';
import { defaultMeasure, type GapLimits, gapLimits, type Measure } from '../../core/vocabulary/measure.ts';
import { isFlood, othersOf } from '../../core/vocabulary/subject.ts';
import type { Application } from '../definition/applications.ts';
import { fileAt } from './hop-file.ts';
import type { Series } from './schema/series.ts';
import { type LinkStopRecord, linkStopSeries } from './series/link-stops.ts';
import { type QueueDelayRecord, queueDelaySeries } from './series/queue-delay.ts';
import { SeriesFolder, type SeriesReader } from './series-folder.ts';
import type { TransportReading } from './transport.ts';
import type { ApplicationFile, OfDirection, OfHop, TrialFile } from './trial-file.ts';

/** Start and end of the measured part of a trial, Unix ms of the harness's clock. */
export type Window = { startMs: number; endMs: number };

/** Data of a stream of frames in a trial. Studies of every kind have such data. */
export type StreamRecord = SeriesFolder & {
  window: Window;
  /** Start of the measured window, Unix ms of the harness's clock. The times of schedules count from it. */
  originMs: number;
  /** Times in which the sender paused. */
  pauses: readonly Window[];
  /** Thresholds for the times without a new frame. */
  gapLimits: GapLimits;
  /** Bottlenecks that the stream passes, in the order of the row. */
  row: readonly OwnBottleneck[];
};

/** Bottleneck that an application sends through. */
export type OwnBottleneck = {
  /** Place in the row, from 1. */
  hop: number;
  /** Name in messages: "the link" if it is the only one of the link. */
  name: string;
  /** The fields that the analysis uses. */
  link: Pick<Link, 'rateBps' | 'schedule' | 'trace' | 'loss'>;
  /** Returns the bytes of each sender that left the bottleneck, over time. */
  queueDelay(): Promise<Pick<QueueDelayRecord, 'timeMs' | 'sentBytes'>[]>;
  /** Returns the times at which the bottleneck sent nothing although packets waited. */
  linkStops(): Promise<LinkStopRecord[]>;
};

/** Name of a folder in a trial's folder. It holds a folder for each application, with the application's series. */
export const applicationsFolder = 'applications';

/**
 * A trial as seen by one application: the series of the application, and those of the link. By default it is the
 * application that the study is about.
 */
export class TrialRecord extends SeriesFolder implements StreamRecord {
  readonly file: TrialFile;
  /** Thresholds of the study for stalls and smooth motion. */
  readonly measure: Measure;
  readonly application: Application;
  /** Data of the application in trial.json. Undefined if the trial was given up before they were recorded. */
  readonly own: ApplicationFile | undefined;
  readonly #shared: SeriesFolder;
  readonly #readSeries: SeriesReader | undefined;
  /** Bottleneck that the record is about, if it is another than the first, and the record whose series it shares. */
  readonly #at: { hop: number; whole: TrialRecord } | undefined;

  constructor(
    file: TrialFile,
    directory: string,
    measure: Measure = defaultMeasure,
    name: string = file.condition.subject,
    readSeries?: SeriesReader,
    at?: { hop: number; whole: TrialRecord },
  ) {
    const own = file.applications.find(application => application.name === name);
    super(join(directory, applicationsFolder, name), own?.clocks?.server.offsetMs ?? 0, readSeries);
    this.file = file;
    this.measure = measure;
    this.application = file.condition.applications.find(application => application.name === name)!;
    this.own = own;
    this.#shared = new SeriesFolder(directory, 0, readSeries);
    this.#readSeries = readSeries;
    this.#at = at;
  }

  /**
   * Returns the record of the same trial with link, counters, log and series of a bottleneck. `hop`: its place in the
   * row, from 1.
   */
  atHop(hop: number, direction: Direction = 'down'): TrialRecord {
    const whole = this.#whole;
    if (hop === 1 && direction === 'down') return whole;
    const { directory } = this.#shared;
    const file = fileAt(whole.file, { hop, direction });
    return new TrialRecord(file, directory, this.measure, this.application.name, this.#readSeries, { hop, whole });
  }

  /** Returns the record at the first bottleneck of the row that the application crosses. */
  atFirst(): TrialRecord {
    return this.atHop(firstHopOf(this.#whole.link, this.application.name));
  }

  /** Record with the whole link; its counters and log are those of the first bottleneck of the row. */
  get #whole(): TrialRecord {
    return this.#at?.whole ?? this;
  }

  get #hop(): number {
    return this.#at?.hop ?? 1;
  }

  /** True if the application crosses the bottleneck that the record is about. */
  get crossesIt(): boolean {
    return isCrossed(this.#whole.link.paths[this.application.name], this.#hop);
  }

  /** Bottlenecks that the application sends through, in the order of the row. */
  get row(): OwnBottleneck[] {
    const { link: all } = this.#whole;
    const isOnly = hopCount([all]) === 1;
    return ownRowOf(all, this.application).map(({ hop, link }) => {
      const at = this.atHop(hop);
      const name = bottleneckName(isOnly ? {} : { hop });
      return { hop, name, link, queueDelay: () => at.queueDelay(), linkStops: () => at.linkStops() };
    });
  }

  /** Returns the record of the same trial as seen by another application. */
  as(name: string): TrialRecord {
    const at = this.#at === undefined ? undefined : { ...this.#at, whole: this.#at.whole.as(name) };
    return new TrialRecord(this.file, this.#shared.directory, this.measure, name, this.#readSeries, at);
  }

  get isFlood(): boolean {
    return isFlood(this.application);
  }

  /** Returns the records of all other applications. */
  others(): TrialRecord[] {
    return othersOf({ ...this.file.condition, subject: this.application.name }).map(({ name }) => this.as(name));
  }

  /** Returns the records of all other applications that only fill the link. */
  floods(): TrialRecord[] {
    return this.others().filter(({ isFlood: fills }) => fills);
  }

  /** Connections of all floods together. Null if the trial has no flood, or if no flood reported its connections. */
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
   * Part of the measured window for which the application was in use and was read. It is the whole window unless the
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

  /** Parts of the window in which the application's sender paused. */
  get pauses(): Window[] {
    const { startMs, endMs } = this.window;
    return (this.own?.pauses ?? [])
      .map(pause => ({ startMs: Math.max(startMs, pause.startMs), endMs: Math.min(endMs, pause.endMs ?? Infinity) }))
      .filter(pause => pause.startMs < pause.endMs);
  }

  get gapLimits(): GapLimits {
    return gapLimits(this.measure, this.application.frameRate);
  }

  get originMs(): number {
    return this.file.phases!.windowStartMs;
  }

  /** Length of the window without the pauses of the application, s. */
  get windowS(): number {
    const pausedMs = this.pauses.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
    return (this.window.endMs - this.window.startMs - pausedMs) / 1000;
  }

  get link(): Link {
    return this.file.condition.link;
  }

  /** Returns the lines of a series of the application, or of a series about the link and the machine of the trial. */
  override read<R extends object>(series: Series<R>): Promise<R[]> {
    if (this.#at !== undefined) return this.#at.whole.read(series);
    return series.of === 'trial' ? this.#shared.read(series) : super.read(series);
  }

  override packetTable(): ReturnType<SeriesFolder['packetTable']> {
    return this.#at === undefined ? super.packetTable() : this.#at.whole.packetTable();
  }

  /** Returns the queue delay of all packets, of any sender, at the bottleneck that the application sends through. */
  async queueDelay(): Promise<QueueDelayRecord[]> {
    return (await this.read(queueDelaySeries)).filter(line => this.#isAtBottleneck(line));
  }

  /**
   * Returns the stops of the bottleneck that the application sends through: times at which the bottleneck sent nothing
   * although packets waited.
   */
  async linkStops(): Promise<LinkStopRecord[]> {
    return (await this.read(linkStopSeries)).filter(line => this.#isAtBottleneck(line));
  }

  #isAtBottleneck({ direction, hop = 1 }: OfDirection & OfHop): boolean {
    return (direction ?? 'down') === this.application.direction && hop === this.#hop;
  }
}
