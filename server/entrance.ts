/**
 * Admits one browser to a viewing: the one that presents the token. Connects it, sends to it, and disconnects it at the
 * end.
 */
import { CoexistError } from '../core/errors.ts';
import { nowMs } from '../core/system/clock.ts';
import { sleep } from '../core/system/deadline.ts';
import type { ServerEvent } from './control/protocol.ts';
import { SenderSampler, type SessionSample } from './session/sampler.ts';
import type { SignalingServer } from './signaling/server.ts';
import { type AnswerOptions, Peer } from './transport/peer.ts';

/** Recipient of the events and errors of a viewing. */
export type Owner = {
  say(event: ServerEvent): void;
  sayError(error: unknown): void;
};

/** Session that sends to the browser. */
type Sending = {
  /** Rejects if sending fails. */
  readonly ended: Promise<unknown>;
  /** Returns the present values for the samples of the sender. */
  sample(): SessionSample;
  /** Stops the media, or goes on with them. */
  setPaused(isPaused: boolean): void;
  /** Stops sending and writes the record. May be called several times. */
  stop(): Promise<void>;
};

/** Media that are ready to be sent. `drop`: releases them unsent. */
export type Ready = { start(): Sending; drop(): void };

/** `token`: secret that the browser has to present. `settleMs`: time from the connection to the media, ms. */
type Admission = { token: string; settleMs?: number | undefined };

export class Entrance {
  readonly #owner: Owner;
  readonly #settleMs: number;
  readonly #prepare: (peer: Peer) => Promise<Ready>;
  #peer: Peer | undefined;
  #sending: Sending | undefined;
  #sampler: SenderSampler | undefined;
  #isOver = false;

  /** `prepare`: called once, when the browser is connected and the settle time is over. */
  constructor(
    signaling: SignalingServer,
    { token, settleMs = 0 }: Admission,
    options: AnswerOptions,
    owner: Owner,
    prepare: (peer: Peer) => Promise<Ready>,
  ) {
    this.#owner = owner;
    this.#settleMs = settleMs;
    this.#prepare = prepare;
    signaling.admit(token, {
      onOffer: sdp => this.#answer(sdp, options),
      onBye: () => owner.say({ type: 'peer-gone', state: 'bye' }),
    });
  }

  /** Stops the media, or goes on with them. Throws `server-failed` if they have not begun or have ended. */
  setPaused(isPaused: boolean): void {
    if (this.#sending === undefined || this.#isOver)
      throw new CoexistError('server-failed', 'no media are being sent that could pause');
    this.#sending.setPaused(isPaused);
  }

  /** Ends the viewing, also if no browser has connected. */
  async close(): Promise<void> {
    this.#isOver = true;
    try {
      await this.#stop();
    } finally {
      await this.#peer?.close(); // also if writing the record failed
    }
  }

  async #start(peer: Peer): Promise<void> {
    await sleep(this.#settleMs);
    if (this.#isOver) return;
    const ready = await this.#prepare(peer);
    if (this.#isOver) return ready.drop();
    const sending = (this.#sending = ready.start());
    this.#sampler = new SenderSampler(
      () => sending.sample(),
      sample => this.#owner.say({ type: 'sample', sample }),
    );
    sending.ended.catch(this.#owner.sayError);
    this.#owner.say({ type: 'connected', timeMs: nowMs(), feedback: peer.feedback });
  }

  async #stop(): Promise<void> {
    this.#sampler?.stop();
    await this.#sending?.stop();
  }

  async #answer(sdp: string, options: AnswerOptions): Promise<string> {
    if (this.#peer !== undefined) throw new CoexistError('usage', 'another browser watches already');
    const { peer, answerSdp } = await Peer.answer(sdp, options);
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
   * Stops sending because the connection has closed, for example after 30 s without an answer to consent checks, when
   * nothing more may be sent (RFC 7675, section 5.1).
   */
  #gone(state: string): void {
    this.#isOver = true;
    this.#owner.say({ type: 'peer-gone', state });
    this.#stop().catch(this.#owner.sayError);
  }
}
