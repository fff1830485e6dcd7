/**
 * The calls and events of a page's connection, by the names and in the form that Chromium logs them
 * (chrome://webrtc-internals, 2026: content/browser/webrtc/resources): descriptions, candidates and states are JSON.
 */
import { timeMs } from './page-clock.ts';
import type { ConnectionEvent } from './wire.ts';

/** Viewers recognise a description by its type, which comes first; a browser's own has it last. */
const inOrder = ({ type, sdp = '' }: RTCSessionDescriptionInit): RTCSessionDescriptionInit => ({ type, sdp });

export class ConnectionLog {
  readonly #peer: RTCPeerConnection;
  #events: ConnectionEvent[] = [];

  constructor(peer: RTCPeerConnection) {
    this.#peer = peer;
    peer.addEventListener('icecandidate', ({ candidate }) => {
      if (candidate !== null) this.#add('icecandidate', candidate.toJSON());
    });
    // as rtcstats describes a track: by its identifier, statistics belong to it
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

  /** Makes the offer, and makes it the connection's own description. */
  async offer(): Promise<void> {
    await this.#describe(await this.#call('createOffer', '', async () => inOrder(await this.#peer.createOffer())));
  }

  async answer(): Promise<void> {
    await this.#describe(await this.#call('createAnswer', '', async () => inOrder(await this.#peer.createAnswer())));
  }

  /** What the other end says: candidates and all. */
  async accept(description: RTCSessionDescriptionInit): Promise<void> {
    await this.#call('setRemoteDescription', inOrder(description), () => this.#peer.setRemoteDescription(description));
  }

  /** Everything since the last call. */
  drain(): ConnectionEvent[] {
    return this.#events.splice(0);
  }

  async #describe(description: RTCSessionDescriptionInit): Promise<void> {
    await this.#call('setLocalDescription', description, () => this.#peer.setLocalDescription(description));
  }

  /** A failure is in the log, and thrown on. */
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
