/**
 * The series that the harness itself writes: into a trial's folder those of its link and machine, into an application's
 * its own.
 */
import { join } from 'node:path';
import { JsonlWriter } from '../../core/jsonl.ts';

/** File of each series of a trial. */
export const trialSeries = {
  ping: 'ping.jsonl',
  queue: 'queue.jsonl',
  queueDelay: 'queue-delay.jsonl',
  linkStops: 'link-stops.jsonl',
  host: 'host.jsonl',
} as const;

/** File of each series of an application. */
export const applicationSeries = {
  presented: 'frames.presented.jsonl',
  stats: 'stats.jsonl',
  connection: 'connection.jsonl',
  page: 'page.jsonl',
  sender: 'sender.jsonl',
  caller: 'caller.jsonl',
  service: 'service.jsonl',
  tcp: 'tcp.jsonl',
  bbr3: 'bbr3.jsonl',
  queueMedia: 'queue.media.jsonl',
  tunnel: 'tunnel.jsonl',
} as const;

/** A file is made when its first record comes; one that never came is an empty series. */
export class SeriesWriter<Files extends Readonly<Record<string, string>>> {
  readonly #directory: string;
  readonly #files: Files;
  readonly #writers = new Map<keyof Files, JsonlWriter>();
  readonly #counts = new Map<keyof Files, number>();

  constructor(directory: string, files: Files) {
    this.#directory = directory;
    this.#files = files;
  }

  write(series: keyof Files, record: object): void {
    let writer = this.#writers.get(series);
    if (writer === undefined)
      this.#writers.set(series, (writer = new JsonlWriter(join(this.#directory, this.#files[series]!))));
    writer.write(record);
    this.#counts.set(series, this.count(series) + 1);
  }

  /** Records so far. */
  count(series: keyof Files): number {
    return this.#counts.get(series) ?? 0;
  }

  async close(): Promise<void> {
    const results = await Promise.allSettled([...this.#writers.values()].map(writer => writer.close()));
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }
}
