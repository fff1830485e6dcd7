/** State shared by all viewings of a media server: the clip in memory, its encoder, the page and the controllers. */
import { type Bindable, loadBindable, pick } from '../core/plugins.ts';
import { type BoundController, bindableController } from './congestion/bound-controller.ts';
import type { LoadCommand } from './control/protocol.ts';
import { type Clip, loadClip } from './media/clip.ts';
import { type EncoderKind, VideoEncoder } from './media/encoder.ts';
import { chooseEncoder } from './media/encoder-kinds.ts';
import { loadVoice } from './media/voice/clip.ts';
import { rehearse } from './session/rehearsal.ts';
import { SignalingServer } from './signaling/server.ts';

const rehearsalFrameRate = 60;
/**
 * Name of the controller for the rehearsal before any viewing: the one with the most code to compile. The controller of
 * the viewing is not known yet.
 */
const rehearsalController = 'gcc';

export class Loaded {
  readonly clip: Clip;
  readonly kind: EncoderKind;
  /** Requested encoders that do not work on this machine, with the reason. */
  readonly passedOver: string[];
  readonly signaling: SignalingServer;
  readonly controllers: Map<string, Bindable<BoundController>>;
  readonly #command: LoadCommand;
  /** Voices that were loaded, by path; null for the synthesised one. */
  readonly #voices = new Map<string | null, Int16Array>();

  private constructor(
    command: LoadCommand,
    parts: Pick<Loaded, 'clip' | 'kind' | 'passedOver' | 'signaling' | 'controllers'>,
  ) {
    this.#command = command;
    this.clip = parts.clip;
    this.kind = parts.kind;
    this.passedOver = parts.passedOver;
    this.signaling = parts.signaling;
    this.controllers = parts.controllers;
  }

  static async load(command: LoadCommand): Promise<Loaded> {
    const signaling = await SignalingServer.listen(command.listen.host, command.listen.port);
    try {
      const { kind, passedOver } = await chooseEncoder(command.encoder.name, command.encoder.preset);
      const clip = await loadClip(command.clip.path, command.clip);
      const controllers = await loadBindable(new URL('congestion/', import.meta.url), 'controller', bindableController);
      const loaded = new Loaded(command, { clip, kind, passedOver, signaling, controllers });
      await rehearse(
        clip,
        rateBps => loaded.openEncoder(loaded.size, rehearsalFrameRate, rateBps),
        pick(controllers, rehearsalController, 'controller').bind({}, rehearsalController).create(),
        command.scratch,
      );
      return loaded;
    } catch (error) {
      await signaling.close();
      throw error;
    }
  }

  /** Host address from which pages and media are served. */
  get host(): string {
    return this.#command.listen.host;
  }

  /** Size of the clip's frames in memory, pixels. */
  get size(): { width: number; height: number } {
    const { width, height } = this.#command.clip;
    return { width, height };
  }

  get preset(): string {
    return this.#command.encoder.preset ?? this.kind.preset;
  }

  /** Returns the samples of a voice. `path`: WAV file; null for the synthesised voice. */
  voice(path: string | null): Int16Array {
    const samples = this.#voices.get(path) ?? loadVoice(path);
    this.#voices.set(path, samples);
    return samples;
  }

  openEncoder(size: { width: number; height: number }, frameRate: number, rateBps: number): Promise<VideoEncoder> {
    const { threads, preset } = this.#command.encoder;
    return VideoEncoder.open(this.kind, {
      ...size,
      frameRate,
      rateBps,
      threads,
      ...(preset === null ? {} : { preset }),
    });
  }
}
