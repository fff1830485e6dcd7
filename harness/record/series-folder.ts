/**
 * Reads the series in the folder of a trial or an application, and converts their times to the harness's clock. A
 * series is read when it is first requested.
 */
import { join } from 'node:path';
import { readJsonl } from '../../core/system/jsonl.ts';
import { type PacketTable, readPacketTable } from './packet-table.ts';
import type { Series } from './schema/series.ts';
import { type SentFrameLine, type SkippedFrameLine, sentFrameSeries } from './series/frames.sent.ts';
import { packetSeries } from './series/packets.ts';

/** Function that returns all lines of the series in the file `path`. It returns no lines if the file is missing. */
export type SeriesReader = <T>(path: string) => Promise<T[]>;

export class SeriesFolder {
  readonly directory: string;
  readonly #read: SeriesReader;
  readonly #serverOffsetMs: number;
  readonly #cache = new Map<string, Promise<unknown>>();

  /** `serverOffsetMs`: number of ms to add to a time of the media server's clock to get the time of the harness. */
  constructor(directory: string, serverOffsetMs: number, read: SeriesReader = readJsonl) {
    this.directory = directory;
    this.#read = read;
    this.#serverOffsetMs = serverOffsetMs;
  }

  /** Returns all lines of a series, in the order of the file. */
  read<R extends object>(series: Series<R>): Promise<R[]> {
    return this.#cached(series.id, async () => {
      const lines = await this.#read<R>(join(this.directory, series.file));
      for (const line of lines) this.#fromServer(line as Record<PropertyKey, unknown>, series.serverTimes);
      return lines;
    });
  }

  /** Returns the packets of packets.jsonl as columns, for code that reads all packets. */
  packetTable(): Promise<PacketTable> {
    return this.#cached('packets as columns', async () => {
      const table = await readPacketTable(join(this.directory, packetSeries.file));
      const offsetMs = this.#serverOffsetMs;
      for (const column of [table.sentMs, table.feedbackMs])
        for (let row = 0; row < table.length; row++) column[row]! += offsetMs;
      return table;
    });
  }

  async sentFrames(): Promise<SentFrameLine[]> {
    return (await this.read(sentFrameSeries)).filter((line): line is SentFrameLine => !('skipped' in line));
  }

  async skippedFrames(): Promise<SkippedFrameLine[]> {
    return (await this.read(sentFrameSeries)).filter((line): line is SkippedFrameLine => 'skipped' in line);
  }

  #cached<T>(name: string, read: () => Promise<T>): Promise<T> {
    const cached = this.#cache.get(name);
    if (cached !== undefined) return cached as Promise<T>;
    const reading = read();
    this.#cache.set(name, reading);
    return reading;
  }

  /** Converts the fields `keys` of a line from the media server's clock to the harness's clock. */
  #fromServer(line: Record<PropertyKey, unknown>, keys: readonly PropertyKey[]): void {
    for (const key of keys) if (typeof line[key] === 'number') line[key] += this.#serverOffsetMs;
  }
}
