/**
 * The series in one folder, on the harness's clock, each read when first asked for: of a trial, or of one side of a
 * pair's trial.
 */
import { join } from 'node:path';
import { readJsonl } from '../../core/jsonl.ts';
import type { SentFrameRecord, SkippedFrameRecord } from '../../server/session/recorder.ts';
import { type PacketTable, readPacketTable } from './packet-table.ts';
import type {
  Bbr3Record,
  CallerRecord,
  ConnectionRecord,
  ControllerRecord,
  MediaQueueRecord,
  PacketLine,
  PageRecord,
  PictureComparisonRecord,
  PictureQualityRecord,
  PresentedFrameRecord,
  ProbeLine,
  RoundTripRecord,
  SenderRecord,
  SentFrameLine,
  ServiceRecord,
  StatsRecord,
  TcpRecord,
  TunnelRecord,
} from './series.ts';

/** Reads all lines of a series; none where the file is missing. */
export type SeriesReader = <T>(path: string) => Promise<T[]>;

export class SeriesFolder {
  readonly directory: string;
  readonly #read: SeriesReader;
  readonly #serverOffsetMs: number;
  readonly #cache = new Map<string, Promise<unknown>>();

  /** `serverOffsetMs`: what the media server's clock lacks of the harness's. */
  constructor(directory: string, serverOffsetMs: number, read: SeriesReader = readJsonl) {
    this.directory = directory;
    this.#read = read;
    this.#serverOffsetMs = serverOffsetMs;
  }

  presentedFrames(): Promise<PresentedFrameRecord[]> {
    return this.series('frames.presented');
  }

  stats(): Promise<StatsRecord[]> {
    return this.series('stats');
  }

  connection(): Promise<ConnectionRecord[]> {
    return this.series('connection');
  }

  page(): Promise<PageRecord[]> {
    return this.series('page');
  }

  sender(): Promise<SenderRecord[]> {
    return this.series('sender', line => this.#fromServer(line, ['timeMs']));
  }

  caller(): Promise<CallerRecord[]> {
    return this.series('caller');
  }

  service(): Promise<ServiceRecord[]> {
    return this.series('service');
  }

  tcp(): Promise<TcpRecord[]> {
    return this.series('tcp');
  }

  bbr3(): Promise<Bbr3Record[]> {
    return this.series('bbr3');
  }

  /** Of both ends, in the order in which they told it. */
  tunnel(): Promise<TunnelRecord[]> {
    return this.series('tunnel');
  }

  mediaQueue(): Promise<MediaQueueRecord[]> {
    return this.series('queue.media');
  }

  pictureQuality(): Promise<PictureQualityRecord[]> {
    return this.series('picture-quality');
  }

  /** How the frames were compared; undefined where they were not. */
  async pictureComparison(): Promise<PictureComparisonRecord | undefined> {
    return (await this.series<PictureComparisonRecord>('picture-comparison'))[0];
  }

  packets(): Promise<PacketLine[]> {
    return this.series('packets', line => this.#fromServer(line, ['sentMs', 'feedbackMs']));
  }

  /** The same as columns, for whoever goes through them all. */
  packetTable(): Promise<PacketTable> {
    return this.#cached('packets as columns', async () => {
      const table = await readPacketTable(join(this.directory, 'packets.jsonl'));
      const offsetMs = this.#serverOffsetMs;
      for (const column of [table.sentMs, table.feedbackMs])
        for (let row = 0; row < table.length; row++) column[row]! += offsetMs;
      return table;
    });
  }

  controller(): Promise<ControllerRecord[]> {
    return this.series('controller', line => this.#fromServer(line, ['timeMs']));
  }

  probes(): Promise<ProbeLine[]> {
    return this.series('probes', line => this.#fromServer(line, ['timeMs']));
  }

  roundTrips(): Promise<RoundTripRecord[]> {
    return this.series('rtt', line => this.#fromServer(line, ['timeMs']));
  }

  async sentFrames(): Promise<SentFrameRecord[]> {
    return (await this.#sentLines()).filter((line): line is SentFrameRecord => !('skipped' in line));
  }

  async skippedFrames(): Promise<SkippedFrameRecord[]> {
    return (await this.#sentLines()).filter((line): line is SkippedFrameRecord => 'skipped' in line);
  }

  #sentLines(): Promise<SentFrameLine[]> {
    return this.series('frames.sent', line =>
      this.#fromServer(line, ['captureMs', 'encodedMs', 'firstPacketMs', 'lastPacketMs']),
    );
  }

  /** Any series by its name, as it was written. */
  read<T>(name: string): Promise<T[]> {
    return this.series(name);
  }

  protected series<T>(name: string, move?: (line: T) => T): Promise<T[]> {
    return this.#cached(name, () =>
      this.#read<T>(join(this.directory, `${name}.jsonl`)).then(all => (move === undefined ? all : all.map(move))),
    );
  }

  #cached<T>(name: string, read: () => Promise<T>): Promise<T> {
    const cached = this.#cache.get(name);
    if (cached !== undefined) return cached as Promise<T>;
    const reading = read();
    this.#cache.set(name, reading);
    return reading;
  }

  /** Moves times of the media server's clock onto the harness's. */
  #fromServer<T>(line: T, keys: string[]): T {
    const offsetMs = this.#serverOffsetMs;
    const moved = line as Record<string, unknown>;
    for (const key of keys) if (typeof moved[key] === 'number') moved[key] += offsetMs;
    return line;
  }
}
