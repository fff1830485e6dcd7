/**
 * Runs the media server as a program on its host. The program reads commands and prints events
 * (server/control/protocol.ts).
 */

import { CoexistError, isErrorCode } from '../../../core/errors.ts';
import { check } from '../../../core/schema/schema.ts';
import { type ClockOffset, measureClock } from '../../../core/system/clock.ts';
import type { Child } from '../../../core/system/command.ts';
import type { Host } from '../../../core/system/host.ts';
import { JsonLinesChild } from '../../../core/system/json-lines-child.ts';
import {
  type Command,
  eventSchema,
  type LoadCommand,
  type LoadVoiceCommand,
  type OpenCommand,
  type OpenVoiceCommand,
  type SenderSample,
  type ServerEvent,
} from '../../../server/control/protocol.ts';

const entry = new URL('../../../server/main.ts', import.meta.url);
/** Folders of our sources that the server needs: its code, and the pages for the browser. */
const folders = ['client', 'core', 'server'];
/**
 * Initial heap size, MB, with room for the data of a trial. With a smaller heap, V8 collects the whole heap every one
 * to two seconds. That takes 4 to 8 % of a core and stops the frame loop for up to 50 ms each time (measured over a
 * loopback, Node 24.21).
 */
const heapMegabytes = 512;
/** Deadline for loading, ms. Decoding a clip into memory takes about 8 ms per frame. */
const loadMs = 120_000;
const answerMs = 10_000;
const stopMs = 3000;

type EventOf<T extends ServerEvent['type']> = Extract<ServerEvent, { type: T }>;

export class MediaServer {
  onSample: (sample: SenderSample) => void = () => {};
  /** Report of the server after loading the clip. */
  loaded: EventOf<'loaded'> | undefined;
  /** Report of the server after loading a voice. */
  loadedVoice: EventOf<'voice-loaded'> | undefined;
  /** Report of the server about the last browser that connected. */
  connected: EventOf<'connected'> | undefined;
  /** State in which the connection to the last browser ended; undefined while the connection is open. */
  gone: EventOf<'peer-gone'>['state'] | undefined;
  readonly #program: JsonLinesChild<ServerEvent>;

  private constructor(child: Child) {
    this.#program = new JsonLinesChild<ServerEvent>(child, {
      name: 'the media server',
      code: 'server-failed',
      read: readEvent,
      onLine: event => {
        if (event.type === 'sample') this.onSample(event.sample);
        if (event.type === 'connected') this.connected = event;
        if (event.type === 'peer-gone') this.gone = event.state;
      },
      ended: ({ how, lastWords }) =>
        new CoexistError('server-died', `the media server ended ${how}${lastWords === '' ? '' : `: ${lastWords}`}`),
    });
  }

  static async start(host: Host): Promise<MediaServer> {
    const words = await host.programWords(entry, folders, [`--initial-heap-size=${heapMegabytes}`]);
    return new MediaServer(host.start('media server', words, { stdio: ['pipe', 'pipe', 'pipe'], isTimed: true }));
  }

  get alive(): boolean {
    return this.#program.child.alive;
  }

  /**
   * Rejects if the server dies, or if it reports a failure that is not the answer to a command. Failures before the
   * last `open` do not count.
   */
  get failed(): Promise<never> {
    return this.#program.failed;
  }

  get pid(): number | undefined {
    return this.#program.child.pid;
  }

  async load(command: LoadCommand): Promise<void> {
    this.loaded = await this.#ask(command, 'loaded', loadMs);
  }

  async loadVoice(command: LoadVoiceCommand): Promise<void> {
    this.loadedVoice = await this.#ask(command, 'voice-loaded', loadMs);
  }

  async open(command: OpenCommand | OpenVoiceCommand): Promise<void> {
    this.#program.forgetFailure();
    this.gone = undefined;
    await this.#ask(command, 'opened', answerMs);
  }

  /** Stops the media of the viewing, or goes on with them. */
  async setPaused(isPaused: boolean): Promise<void> {
    await this.#ask({ type: 'pause', isPaused }, 'paused', answerMs);
  }

  async close(): Promise<void> {
    await this.#ask({ type: 'close' }, 'closed', answerMs);
  }

  clock(): Promise<ClockOffset> {
    return measureClock(async () => (await this.#ask({ type: 'clock' }, 'clock', answerMs)).timeMs);
  }

  stop(): Promise<void> {
    return this.#program.end(stopMs);
  }

  async #ask<T extends ServerEvent['type']>(command: Command, type: T, ms: number): Promise<EventOf<T>> {
    if (!this.alive) throw new CoexistError('server-died', 'the media server is not running');
    const accepts = (event: ServerEvent) => event.type === type;
    return (await this.#program.ask(command, `the media server's "${type}"`, ms, {
      accepts,
      code: 'server-failed',
    })) as EventOf<T>;
  }
}

/** Parses an event of the server. If the event reports an error, throws that error. */
function readEvent(said: unknown): ServerEvent {
  const event = check(eventSchema, said, 'media server', 'server-failed');
  if (event.type !== 'error') return event;
  const code = isErrorCode(event.code) ? event.code : 'server-failed';
  throw new CoexistError(code, event.message, event.hint === null ? {} : { hint: event.hint });
}
