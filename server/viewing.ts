/**
 * A viewing: admits the browser that has the viewing's token, sends the clip to the browser, and disconnects it at the
 * end.
 */

import { CoexistError } from '../core/errors.ts';
import { boundOf } from '../core/plugins.ts';
import { nowMs } from '../core/system/clock.ts';
import { sleep } from '../core/system/deadline.ts';
import type { BoundController } from './congestion/bound-controller.ts';
import type { OpenCommand, ServerEvent } from './control/protocol.ts';
import type { Loaded } from './loaded.ts';
import { Ladder } from './media/ladder.ts';
import { LadderEncoder } from './media/ladder-encoder.ts';
import { VoiceEncoder } from './media/voice/encoder.ts';
import { SessionRecorder } from './session/recorder.ts';
import { SenderSampler } from './session/sampler.ts';
import { Session } from './session/session.ts';
import { Peer } from './transport/peer.ts';

type Owner = {
  say(event: ServerEvent): void;
  sayError(error: unknown): void;
};

export class Viewing {
  readonly #loaded: Loaded;
  readonly #command: OpenCommand;
  readonly #controller: BoundController;
  readonly #owner: Owner;
  #peer: Peer | undefined;
  #session: Session | undefined;
  #sampler: SenderSampler | undefined;
  #isOver = false;

  /** Admits a browser that presents the token. The viewing starts when this browser sends its offer. */
  constructor(loaded: Loaded, command: OpenCommand, owner: Owner) {
    this.#loaded = loaded;
    this.#command = command;
    this.#owner = owner;
    // before the browser comes: the voice takes a moment to make
    if (command.stream.voice !== undefined) loaded.voice(command.stream.voice.clip);
    this.#controller = boundOf(loaded.controllers, command.stream.controller, 'controller');
    loaded.signaling.admit(command.token, {
      onOffer: sdp => this.#answer(sdp),
      onBye: () => owner.say({ type: 'peer-gone', state: 'bye' }),
    });
  }

  /** Ends the viewing, also if no browser has connected. */
  async close(): Promise<void> {
    this.#isOver = true;
    this.#sampler?.stop();
    try {
      await this.#session?.stop();
    } finally {
      await this.#peer?.close(); // also if writing the record failed
    }
  }

  async #answer(sdp: string): Promise<string> {
    if (this.#peer !== undefined) throw new CoexistError('usage', 'another browser watches already');
    const { stream, mediaPort } = this.#command;
    const feedback = this.#controller.feedback === 'remb' ? 'remb' : stream.feedback;
    const { host } = this.#loaded;
    const { peer, answerSdp } = await Peer.answer(sdp, {
      feedback,
      isProtected: stream.protectionRatio > 0,
      ownAddress: host,
      media: stream.voice === undefined ? ['video'] : ['video', 'audio'],
      inSync: stream.voice?.sync === true,
      ...(mediaPort === undefined ? {} : { port: mediaPort }),
    });
    if (this.#peer !== undefined || this.#isOver) {
      await peer.close();
      throw new CoexistError('usage', 'another browser was faster');
    }
    this.#peer = peer;
    peer.onConnected = () => void this.#start(peer).catch(this.#owner.sayError);
    peer.onClosed = state => this.#gone(state);
    return answerSdp;
  }

  /**
   * Stops the session because the connection has closed, for example after 30 s without an answer to consent checks,
   * when nothing more may be sent (RFC 7675, section 5.1).
   */
  #gone(state: string): void {
    this.#isOver = true;
    this.#owner.say({ type: 'peer-gone', state });
    this.#session?.stop().catch(this.#owner.sayError);
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
    if (this.#isOver) return;
    const ladder = new Ladder({ ...size, frameRate: stream.frameRate }, stream.degradation);
    const encoder = await LadderEncoder.open(ladder, stream.startBps, ({ period, ...reduced }, rateBps) =>
      this.#loaded.openEncoder(reduced, stream.frameRate / period, rateBps),
    );
    const voice = await this.#openVoice();
    if (this.#isOver) {
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
    this.#sampler = new SenderSampler(session, sample => this.#owner.say({ type: 'sample', sample }));
    session.ended.catch(this.#owner.sayError);
    this.#owner.say({ type: 'connected', timeMs: nowMs(), feedback: peer.feedback });
  }
}
