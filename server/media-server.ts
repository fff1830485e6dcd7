/** The media server: loads a clip once, then runs viewings of this clip one after another. */
import * as av from 'node-av/lib';
import { CoexistError, messageOf } from '../core/errors.ts';
import { check } from '../core/schema/schema.ts';
import { nowMs } from '../core/system/clock.ts';
import {
  type Command,
  commandSchema,
  type LoadCommand,
  type LoadVoiceCommand,
  type OpenCommand,
  type OpenVoiceCommand,
  type ServerEvent,
} from './control/protocol.ts';
import type { Entrance } from './entrance.ts';
import { Loaded } from './loaded.ts';
import { openViewing } from './viewing.ts';
import { LoadedVoice, openVoiceViewing } from './voice-viewing.ts';

export class MediaServer {
  readonly #say: (event: ServerEvent) => void;
  #loaded: Loaded | LoadedVoice | undefined;
  #viewing: Entrance | undefined;
  /** Settles when the last command has ended. Commands run one after another. */
  #last: Promise<void> = Promise.resolve();

  constructor(say: (event: ServerEvent) => void) {
    this.#say = say;
  }

  /** Runs the command in this line after all earlier commands have ended. Clock queries are answered at once. */
  take(line: string): void {
    let command: Command;
    try {
      command = check(commandSchema, JSON.parse(line), 'command', 'server-failed');
    } catch (error) {
      return this.sayError(error);
    }
    if (command.type === 'clock') return this.#say({ type: 'clock', timeMs: nowMs() });
    const waiting = command;
    this.#last = this.#last.then(() => this.#carryOut(waiting)).catch(error => this.sayError(error));
  }

  sayError(error: unknown): void {
    const known = error instanceof CoexistError ? error : new CoexistError('server-failed', messageOf(error));
    if (!(error instanceof CoexistError) && error instanceof Error) process.stderr.write(`${error.stack}\n`);
    this.#say({ type: 'error', code: known.code, message: known.message, hint: known.hint ?? null });
  }

  /** Ends the viewing, if there is one. */
  async close(): Promise<void> {
    this.#loaded?.signaling.shut();
    const ending = this.#viewing;
    this.#viewing = undefined;
    await ending?.close();
  }

  /** Waits for the pending commands, then ends the last viewing and stops the page's server. */
  async finish(): Promise<void> {
    await this.#last;
    try {
      await this.close();
    } finally {
      await this.#loaded?.signaling.close();
    }
  }

  async #carryOut(command: Exclude<Command, { type: 'clock' }>): Promise<void> {
    if (command.type === 'load') return this.#load(command);
    if (command.type === 'load-voice') return this.#loadVoice(command);
    if (command.type === 'open' || command.type === 'open-voice') return this.#open(command);
    if (command.type === 'pause') return this.#pause(command.isPaused);
    await this.close();
    this.#say({ type: 'closed' });
  }

  async #load(command: LoadCommand): Promise<void> {
    this.#requireNothing();
    const loaded = (this.#loaded = await Loaded.load(command));
    const { clip, kind, preset, passedOver, signaling } = loaded;
    this.#say({
      type: 'loaded',
      url: signaling.url,
      clip: clip.facts,
      encoder: { codec: kind.codec, preset, passedOver },
      ffmpeg: av.getFFmpegInfo().version,
    });
  }

  async #loadVoice(command: LoadVoiceCommand): Promise<void> {
    this.#requireNothing();
    const loaded = (this.#loaded = await LoadedVoice.load(command));
    this.#say({ type: 'voice-loaded', url: loaded.signaling.url, ffmpeg: av.getFFmpegInfo().version });
  }

  #pause(isPaused: boolean): void {
    if (this.#viewing === undefined) throw new CoexistError('server-failed', 'there is no viewing that could pause');
    this.#viewing.setPaused(isPaused);
    this.#say({ type: 'paused' });
  }

  #requireNothing(): void {
    if (this.#loaded !== undefined) throw new CoexistError('server-failed', 'a clip is loaded already');
  }

  async #open(command: OpenCommand | OpenVoiceCommand): Promise<void> {
    if (this.#loaded === undefined)
      throw new CoexistError('server-failed', `the command "${command.type}" came before "load"`);
    await this.close().catch(() => {}); // a viewing that its harness abandoned
    const owner = { say: this.#say, sayError: (error: unknown) => this.sayError(error) };
    if (command.type === 'open' && this.#loaded instanceof Loaded)
      this.#viewing = openViewing(this.#loaded, command, owner);
    else if (command.type === 'open-voice' && this.#loaded instanceof LoadedVoice)
      this.#viewing = openVoiceViewing(this.#loaded, command, owner);
    else throw new CoexistError('server-failed', `the command "${command.type}" does not fit what is loaded`);
    this.#say({ type: 'opened' });
  }
}
