/** The media server as a child on its host: commands out, events in (server/control/protocol.ts). */
import { fileURLToPath } from 'node:url';
import type { Child } from '../../../core/command.ts';
import { measureClock } from '../../../core/clock.ts';
import type { ClockOffset } from '../../../core/clock.ts';
import { within } from '../../../core/deadline.ts';
import { CoexistError, isErrorCode } from '../../../core/errors.ts';
import type { Host } from '../../../core/host.ts';
import { LineSplitter } from '../../../core/jsonl.ts';
import { check } from '../../../core/schema.ts';
import { eventSchema } from '../../../server/control/protocol.ts';
import type { Command, LoadCommand, OpenCommand, SenderSample, ServerEvent } from '../../../server/control/protocol.ts';

const entry = fileURLToPath(new URL('../../../server/main.ts', import.meta.url));
/** Decoding a clip into memory takes about 8 ms a frame. */
const loadMs = 120_000;
const answerMs = 10_000;

type EventOf<T extends ServerEvent['type']> = Extract<ServerEvent, { type: T }>;

export class MediaServer {
  onSample: (sample: SenderSample) => void = () => {};
  /** What the server said of itself when it had loaded. */
  loaded: EventOf<'loaded'> | undefined;
  /** What it said of the last browser that was connected. */
  connected: EventOf<'connected'> | undefined;
  readonly #child: Child;
  #waiting: { type: ServerEvent['type']; resolve(event: ServerEvent): void; reject(error: unknown): void }[] = [];
  #rejectFailed: (error: unknown) => void = () => {};
  /** Rejects when the server dies or reports a failure nobody waits for. */
  #failed: Promise<never>;

  constructor(host: Host) {
    this.#failed = this.#newFailure();
    this.#child = host.start('media server', [process.execPath, '--disable-warning=ExperimentalWarning', entry], {
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const lines = new LineSplitter(line => this.#onLine(line));
    this.#child.process.stdout!.setEncoding('utf8').on('data', (chunk: string) => lines.push(chunk));
    this.#child.process.stdin!.on('error', () => {}); // its end is noticed below
    void this.#child.ended.then(({ status, signal }) => {
      if (this.#child.stopping) return;
      const how = signal === null ? `with status ${status}` : `by ${signal}`;
      this.#fail(
        new CoexistError(
          'server-died',
          `the media server ended ${how}${this.#child.lastWords === '' ? '' : `: ${this.#child.lastWords}`}`,
        ),
      );
    });
  }

  get alive(): boolean {
    return this.#child.alive;
  }

  /** Rejects when the server dies or fails from now on. */
  get failed(): Promise<never> {
    return this.#failed;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  async load(command: LoadCommand): Promise<void> {
    this.loaded = await this.#ask(command, 'loaded', loadMs);
  }

  async open(command: OpenCommand): Promise<void> {
    this.#failed = this.#newFailure();
    await this.#ask(command, 'opened', answerMs);
  }

  async close(): Promise<void> {
    await this.#ask({ type: 'close' }, 'closed', answerMs);
  }

  clock(): Promise<ClockOffset> {
    return measureClock(async () => (await this.#ask({ type: 'clock' }, 'clock', answerMs)).timeMs);
  }

  async stop(): Promise<void> {
    this.#child.stopping = true;
    this.#child.process.stdin!.end();
    await within(this.#child.ended, 3000, 'the media server to end').catch(() => this.#child.stop('SIGKILL'));
  }

  #newFailure(): Promise<never> {
    const failure = new Promise<never>((_, reject) => {
      this.#rejectFailed = reject;
    });
    failure.catch(() => {});
    return failure;
  }

  #fail(error: unknown): void {
    const waiting = this.#waiting.shift();
    if (waiting !== undefined) waiting.reject(error);
    else this.#rejectFailed(error);
  }

  async #ask<T extends ServerEvent['type']>(command: Command, type: T, ms: number): Promise<EventOf<T>> {
    if (!this.alive) throw new CoexistError('server-died', 'the media server is not running');
    const answer = new Promise<ServerEvent>((resolve, reject) => this.#waiting.push({ type, resolve, reject }));
    this.#child.process.stdin!.write(`${JSON.stringify(command)}\n`);
    return (await within(answer, ms, `the media server's "${type}"`, { code: 'server-failed' })) as EventOf<T>;
  }

  #onLine(line: string): void {
    let event: ServerEvent;
    try {
      event = check(eventSchema, JSON.parse(line), 'media server', 'server-failed');
    } catch (error) {
      return this.#fail(
        error instanceof CoexistError
          ? error
          : new CoexistError('server-failed', `the media server said what is not JSON: ${line.slice(0, 80)}`, {
              cause: error,
            }),
      );
    }
    if (event.type === 'sample') return this.onSample(event.sample);
    if (event.type === 'connected') this.connected = event;
    if (event.type === 'error') {
      const code = isErrorCode(event.code) ? event.code : 'server-failed';
      return this.#fail(new CoexistError(code, event.message, event.hint === null ? {} : { hint: event.hint }));
    }
    const index = this.#waiting.findIndex(waiting => waiting.type === event.type);
    if (index >= 0) this.#waiting.splice(index, 1)[0]!.resolve(event);
  }
}
