/**
 * Log of the calls and events of a page's peer connection. Names and format are those of Chromium's log
 * (chrome://webrtc-internals, 2026: content/browser/webrtc/resources). Descriptions, candidates and states are logged
 * as JSON.
 */
import { timeMs } from './page-clock.ts';
import type { ConnectionEvent } from './wire.ts';

/**
 * Returns a session description with the type before the SDP. Log viewers recognise a description by this order; in the
 * browser's own descriptions the type comes last.
 */
const inOrder = ({ type, sdp = '' }: RTCSessionDescriptionInit): RTCSessionDescriptionInit => ({ type, sdp });

export class ConnectionLog {
  readonly #peer: RTCPeerConnection;
  #events: ConnectionEvent[] = [];

  constructor(peer: RTCPeerConnection) {
    this.#peer = peer;
    peer.addEventListener('icecandidate', ({ candidate }) => {
      if (candidate !== null) this.#add('icecandidate', candidate.toJSON());
    });
    // the entry contains the id of the track, as rtcstats does, because statistics refer to the track by its id
    peer.addEventListener('track', ({ track, streams }) =>
      this.#add('ontrack', [track.kind, track.id, track.label, ...streams.map(({ id }) => id)]),
    );
    const states = {
      signalingstatechange: () => peer.signalingState,
      icegatheringstatechange: () => peer.iceGatheringState,
      iceconnectionstatechange: () => peer.iceConnectionState,
      connectionstatechange: () => peer.connectionState,
    };
    for (const [type, state] of Object.entries(states)) peer.addEventListener(type, () => this.#add(type, state()));
  }

  /** Creates an offer and sets it as the local description. */
  async offer(): Promise<void> {
    await this.#describe(await this.#call('createOffer', '', async () => inOrder(await this.#peer.createOffer())));
  }

  async answer(): Promise<void> {
    await this.#describe(await this.#call('createAnswer', '', async () => inOrder(await this.#peer.createAnswer())));
  }

  /** Sets the remote description, which contains the candidates of the other end. */
  async accept(description: RTCSessionDescriptionInit): Promise<void> {
    await this.#call('setRemoteDescription', inOrder(description), () => this.#peer.setRemoteDescription(description));
  }

  /** Returns the events since the last call, and forgets them. */
  drain(): ConnectionEvent[] {
    return this.#events.splice(0);
  }

  async #describe(description: RTCSessionDescriptionInit): Promise<void> {
    await this.#call('setLocalDescription', description, () => this.#peer.setLocalDescription(description));
  }

  /** Makes a call of the peer connection, and logs the call and its result. Logs an error and throws it again. */
  async #call<T>(name: string, argument: unknown, make: () => Promise<T>): Promise<T> {
    this.#add(name, argument);
    try {
      const result = await make();
      this.#add(`${name}OnSuccess`, result ?? '');
      return result;
    } catch (error) {
      this.#add(`${name}OnFailure`, String(error));
      throw error;
    }
  }

  #add(type: string, value: unknown): void {
    this.#events.push({ timeMs: timeMs(), type, value: value === '' ? '' : JSON.stringify(value) });
  }
}
