/**
 * A viewing: admits the browser that has the viewing's token, sends the clip to the browser, and disconnects it at the
 * end.
 */

import { boundOf } from '../core/plugins.ts';
import { nowMs } from '../core/system/clock.ts';
import { sleep } from '../core/system/deadline.ts';
import type { BoundController } from './congestion/bound-controller.ts';
import type { OpenCommand } from './control/protocol.ts';
import { Entrance, type Owner } from './entrance.ts';
import type { Loaded } from './loaded.ts';
import { Ladder } from './media/ladder.ts';
import { LadderEncoder } from './media/ladder-encoder.ts';
import { VoiceEncoder } from './media/voice/encoder.ts';
import { SessionRecorder } from './session/recorder.ts';
import { SenderSampler, sampleOf } from './session/sampler.ts';
import { Session } from './session/session.ts';
import type { Peer } from './transport/peer.ts';

export class Viewing {
  readonly #loaded: Loaded;
  readonly #command: OpenCommand;
  readonly #controller: BoundController;
  readonly #owner: Owner;
  readonly #entrance: Entrance;
  #session: Session | undefined;
  #sampler: SenderSampler | undefined;

  /** Admits a browser that presents the token. The viewing starts when this browser sends its offer. */
  constructor(loaded: Loaded, command: OpenCommand, owner: Owner) {
    this.#loaded = loaded;
    this.#command = command;
    this.#owner = owner;
    // before the browser comes: the voice takes a moment to make
    if (command.stream.voice !== undefined) loaded.voice(command.stream.voice.clip);
    this.#controller = boundOf(loaded.controllers, command.stream.controller, 'controller');
    const { stream, mediaPort } = command;
    this.#entrance = new Entrance(
      loaded.signaling,
      command.token,
      {
        feedback: this.#controller.feedback === 'remb' ? 'remb' : stream.feedback,
        isProtected: stream.protectionRatio > 0,
        ownAddress: loaded.host,
        media: stream.voice === undefined ? ['video'] : ['video', 'audio'],
        inSync: stream.voice?.sync === true,
        ...(mediaPort === undefined ? {} : { port: mediaPort }),
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

  async #openVoice(): Promise<{ clip: Int16Array; encoder: VoiceEncoder } | undefined> {
    const { voice } = this.#command.stream;
    if (voice === undefined) return undefined;
    return { clip: this.#loaded.voice(voice.clip), encoder: await VoiceEncoder.open(voice) };
  }

  async #start(peer: Peer): Promise<void> {
    const { clip, size } = this.#loaded;
    const { stream, settleMs = 0, recordDirectory, keepVideo } = this.#command;
    await sleep(settleMs);
    if (this.#entrance.isOver) return;
    const ladder = new Ladder({ ...size, frameRate: stream.frameRate }, stream.degradation);
    const encoder = await LadderEncoder.open(ladder, stream.startBps, ({ period, ...reduced }, rateBps) =>
      this.#loaded.openEncoder(reduced, stream.frameRate / period, rateBps),
    );
    const voice = await this.#openVoice();
    if (this.#entrance.isOver) {
      voice?.encoder.close();
      return encoder.close();
    }
    const session = (this.#session = new Session({
      peer,
      clip,
      encoder,
      ladder,
      controller: this.#controller.create(),
      recorder: new SessionRecorder(
        recordDirectory,
        keepVideo === true ? { ...size, frameRate: stream.frameRate } : undefined,
        voice !== undefined,
      ),
      options: stream,
      tellsOfPackets: peer.feedback !== 'remb',
      ...(voice === undefined ? {} : { voice }),
    }));
    this.#sampler = new SenderSampler(
      () => sampleOf(session),
      sample => this.#owner.say({ type: 'sample', sample }),
    );
    session.ended.catch(this.#owner.sayError);
    this.#owner.say({ type: 'connected', timeMs: nowMs(), feedback: peer.feedback });
  }
}
