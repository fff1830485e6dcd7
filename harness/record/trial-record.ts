/** A trial's record as metrics and report see it: every series on the harness's clock, read when first asked for. */
import { join } from 'node:path';
import { readJsonl } from '../base/jsonl.ts';
import type {
  Bbr3Record, CallerRecord, ControllerRecord, HostRecord, PacketLine, PageRecord, PingRecord, PresentedFrameRecord, QueueDelayRecord, QueueRecord, RoundTripRecord, SenderRecord, SentFrameLine, ServiceRecord, StatsRecord, TcpRecord,
} from './series.ts';
import type { SentFrameRecord, SkippedFrameRecord } from '../../server/session/recorder.ts';
import type { TrialFile } from './trial-file.ts';

/** The measured part of a trial, Unix ms of the harness's clock. */
export type Window = { startMs: number; endMs: number };

export class TrialRecord {
  readonly file: TrialFile;
  readonly directory: string;
  readonly #cache = new Map<string, Promise<unknown>>();

  constructor(file: TrialFile, directory: string) {
    this.file = file;
    this.directory = directory;
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

  presentedFrames(): Promise<PresentedFrameRecord[]> {
    return this.#series('frames.presented');
  }

  stats(): Promise<StatsRecord[]> {
    return this.#series('stats');
  }

  page(): Promise<PageRecord[]> {
    return this.#series('page');
  }

  sender(): Promise<SenderRecord[]> {
    return this.#series('sender', line => this.#fromServer(line, ['timeMs']));
  }

  caller(): Promise<CallerRecord[]> {
    return this.#series('caller');
  }

  service(): Promise<ServiceRecord[]> {
    return this.#series('service');
  }

  pings(): Promise<PingRecord[]> {
    return this.#series('ping');
  }

  tcp(): Promise<TcpRecord[]> {
    return this.#series('tcp');
  }

  bbr3(): Promise<Bbr3Record[]> {
    return this.#series('bbr3');
  }

  queue(): Promise<QueueRecord[]> {
    return this.#series('queue');
  }

  queueDelay(): Promise<QueueDelayRecord[]> {
    return this.#series('queue-delay');
  }

  host(): Promise<HostRecord[]> {
    return this.#series('host');
  }

  packets(): Promise<PacketLine[]> {
    return this.#series('packets', line => this.#fromServer(line, ['sentMs', 'feedbackMs']));
  }

  controller(): Promise<ControllerRecord[]> {
    return this.#series('controller', line => this.#fromServer(line, ['timeMs']));
  }

  roundTrips(): Promise<RoundTripRecord[]> {
    return this.#series('rtt', line => this.#fromServer(line, ['timeMs']));
  }

  async sentFrames(): Promise<SentFrameRecord[]> {
    return (await this.#sentLines()).filter((line): line is SentFrameRecord => !('skipped' in line));
  }

  async skippedFrames(): Promise<SkippedFrameRecord[]> {
    return (await this.#sentLines()).filter((line): line is SkippedFrameRecord => 'skipped' in line);
  }

  #sentLines(): Promise<SentFrameLine[]> {
    return this.#series('frames.sent', line => this.#fromServer(line, ['captureMs', 'encodedMs', 'firstPacketMs', 'lastPacketMs']));
  }

  #series<T>(name: string, move?: (line: T) => T): Promise<T[]> {
    const cached = this.#cache.get(name);
    if (cached !== undefined) return cached as Promise<T[]>;
    const lines = readJsonl<T>(join(this.directory, `${name}.jsonl`)).then(all => (move === undefined ? all : all.map(move)));
    this.#cache.set(name, lines);
    return lines;
  }

  /** Moves times of the media server's clock onto the harness's. */
  #fromServer<T>(line: T, keys: string[]): T {
    const offsetMs = this.file.clocks?.server.offsetMs ?? 0;
    const moved = line as Record<string, unknown>;
    for (const key of keys) if (typeof moved[key] === 'number') moved[key] += offsetMs;
    return line;
  }
}
