/**
 * Log of the calls and events of a page's peer connection, with the names and format of Chromium's log
 * (chrome://webrtc-internals, 2026: content/browser/webrtc/resources). Descriptions, candidates and states are JSON.
 */
import { timeMs } from './page-clock.ts';
import type { ConnectionEvent } from './wire.ts';

/** Puts the type first. Log viewers recognise a description by it, but the browser's own descriptions have it last. */
const inOrder = ({ type, sdp = '' }: RTCSessionDescriptionInit): RTCSessionDescriptionInit => ({ type, sdp });

export class ConnectionLog {
  readonly #peer: RTCPeerConnection;
  #events: ConnectionEvent[] = [];

  constructor(peer: RTCPeerConnection) {
    this.#peer = peer;
    peer.addEventListener('icecandidate', ({ candidate }) => {
      if (candidate !== null) this.#add('icecandidate', candidate.toJSON());
    });
    // as rtcstats describes a track: with its identifier, to which statistics refer
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

  /** Creates the offer and sets it as the local description. */
  async offer(): Promise<void> {
    await this.#describe(await this.#call('createOffer', '', async () => inOrder(await this.#peer.createOffer())));
  }

  async answer(): Promise<void> {
    await this.#describe(await this.#call('createAnswer', '', async () => inOrder(await this.#peer.createAnswer())));
  }

  /** Sets the remote description, which includes the candidates. */
  async accept(description: RTCSessionDescriptionInit): Promise<void> {
    await this.#call('setRemoteDescription', inOrder(description), () => this.#peer.setRemoteDescription(description));
  }

  /** Returns all events since the last call. */
  drain(): ConnectionEvent[] {
    return this.#events.splice(0);
  }

  async #describe(description: RTCSessionDescriptionInit): Promise<void> {
    await this.#call('setLocalDescription', description, () => this.#peer.setLocalDescription(description));
  }

  /** Logs a call and its result. Logs a failure and rethrows it. */
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
