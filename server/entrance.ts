/** Admits one browser to a viewing: the one that presents the token. Connects it, and disconnects it at the end. */
import { CoexistError } from '../core/errors.ts';
import type { ServerEvent } from './control/protocol.ts';
import type { SignalingServer } from './signaling/server.ts';
import { type AnswerOptions, Peer } from './transport/peer.ts';

/** Recipient of the events and errors of a viewing. */
export type Owner = {
  say(event: ServerEvent): void;
  sayError(error: unknown): void;
};

/** Media for the browser. */
type Sending = {
  /** Called once, when the browser is connected. */
  start(peer: Peer): Promise<void>;
  /** Stops sending; may be called several times, also before `start`. */
  stop(): Promise<void>;
};

export class Entrance {
  readonly #owner: Owner;
  readonly #sending: Sending;
  #peer: Peer | undefined;
  #isOver = false;

  constructor(signaling: SignalingServer, token: string, options: AnswerOptions, owner: Owner, sending: Sending) {
    this.#owner = owner;
    this.#sending = sending;
    signaling.admit(token, {
      onOffer: sdp => this.#answer(sdp, options),
      onBye: () => owner.say({ type: 'peer-gone', state: 'bye' }),
    });
  }

  /** True once nothing more may be sent. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Ends the viewing, also if no browser has connected. */
  async close(): Promise<void> {
    this.#isOver = true;
    try {
      await this.#sending.stop();
    } finally {
      await this.#peer?.close(); // also if writing the record failed
    }
  }

  async #answer(sdp: string, options: AnswerOptions): Promise<string> {
    if (this.#peer !== undefined) throw new CoexistError('usage', 'another browser watches already');
    const { peer, answerSdp } = await Peer.answer(sdp, options);
    if (this.#peer !== undefined || this.#isOver) {
      await peer.close();
      throw new CoexistError('usage', 'another browser was faster');
    }
    this.#peer = peer;
    peer.onConnected = () => void this.#sending.start(peer).catch(this.#owner.sayError);
    peer.onClosed = state => this.#gone(state);
    return answerSdp;
  }

  /**
   * Stops sending because the connection has closed, for example after 30 s without an answer to consent checks, when
   * nothing more may be sent (RFC 7675, section 5.1).
   */
  #gone(state: string): void {
    this.#isOver = true;
    this.#owner.say({ type: 'peer-gone', state });
    this.#sending.stop().catch(this.#owner.sayError);
  }
}
