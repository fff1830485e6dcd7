/** A voice alone: what a media server loads for it, and its sending to the browser that has the token. */
import { nowMs } from '../core/system/clock.ts';
import { sleep } from '../core/system/deadline.ts';
import type { LoadVoiceCommand, OpenVoiceCommand } from './control/protocol.ts';
import { Entrance, type Owner } from './entrance.ts';
import { loadVoice } from './media/voice/clip.ts';
import { VoiceEncoder } from './media/voice/encoder.ts';
import { SessionRecorder } from './session/recorder.ts';
import { SenderSampler } from './session/sampler.ts';
import { VoiceSession } from './session/voice-session.ts';
import { SignalingServer } from './signaling/server.ts';
import type { Peer } from './transport/peer.ts';

/** A voice in memory, and the server of its page. */
export class LoadedVoice {
  readonly signaling: SignalingServer;
  /** Host address from which pages and media are served. */
  readonly host: string;
  readonly clip: Int16Array;

  private constructor(signaling: SignalingServer, host: string, clip: Int16Array) {
    this.signaling = signaling;
    this.host = host;
    this.clip = clip;
  }

  static async load({ listen, clip }: LoadVoiceCommand): Promise<LoadedVoice> {
    const samples = loadVoice(clip);
    return new LoadedVoice(await SignalingServer.listen(listen.host, listen.port), listen.host, samples);
  }
}

export class VoiceViewing {
  readonly #loaded: LoadedVoice;
  readonly #command: OpenVoiceCommand;
  readonly #owner: Owner;
  readonly #entrance: Entrance;
  #session: VoiceSession | undefined;
  #sampler: SenderSampler | undefined;

  /** Admits a browser that presents the token. The voice starts when this browser has connected. */
  constructor(loaded: LoadedVoice, command: OpenVoiceCommand, owner: Owner) {
    this.#loaded = loaded;
    this.#command = command;
    this.#owner = owner;
    this.#entrance = new Entrance(
      loaded.signaling,
      command.token,
      {
        ownAddress: loaded.host,
        media: ['audio'],
        ...(command.mediaPort === undefined ? {} : { port: command.mediaPort }),
      },
      owner,
      { start: peer => this.#start(peer), stop: () => this.#stop() },
    );
  }

  /** Ends the viewing, also if no browser has connected. */
  close(): Promise<void> {
    return this.#entrance.close();
  }

  async #stop(): Promise<void> {
    this.#sampler?.stop();
    await this.#session?.stop();
  }

  async #start(peer: Peer): Promise<void> {
    const { voice: options, settleMs, recordDirectory } = this.#command;
    await sleep(settleMs);
    if (this.#entrance.isOver) return;
    const encoder = await VoiceEncoder.open(options);
    if (this.#entrance.isOver) return encoder.close();
    const session = (this.#session = new VoiceSession({
      peer,
      voice: peer.voice!,
      clip: this.#loaded.clip,
      encoder,
      options,
      recorder: new SessionRecorder(recordDirectory, undefined, true),
    }));
    this.#sampler = new SenderSampler(
      () => session.sample(),
      sample => this.#owner.say({ type: 'sample', sample }),
    );
    session.ended.catch(this.#owner.sayError);
    this.#owner.say({ type: 'connected', timeMs: nowMs(), feedback: peer.feedback });
  }
}
