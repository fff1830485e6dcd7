/** The series that the harness itself writes into a trial's folder. */
import { join } from 'node:path';
import { JsonlWriter } from '../../core/jsonl.ts';

const files = {
  presented: 'frames.presented.jsonl',
  stats: 'stats.jsonl',
  page: 'page.jsonl',
  sender: 'sender.jsonl',
  caller: 'caller.jsonl',
  service: 'service.jsonl',
  ping: 'ping.jsonl',
  tcp: 'tcp.jsonl',
  bbr3: 'bbr3.jsonl',
  queue: 'queue.jsonl',
  queueDelay: 'queue-delay.jsonl',
  queueMedia: 'queue.media.jsonl',
  host: 'host.jsonl',
} as const;

export type SeriesName = keyof typeof files;

export class SeriesWriter {
  readonly #writers: Record<SeriesName, JsonlWriter>;

  constructor(directory: string) {
    this.#writers = Object.fromEntries(Object.entries(files).map(([name, file]) => [name, new JsonlWriter(join(directory, file))])) as Record<SeriesName, JsonlWriter>;
  }

  write(series: SeriesName, record: object): void {
    this.#writers[series].write(record);
  }

  async close(): Promise<void> {
    const results = await Promise.allSettled(Object.values(this.#writers).map(writer => writer.close()));
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }
}
