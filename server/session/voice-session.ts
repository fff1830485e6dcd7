/**
 * A session that sends a voice and no video. The voice has a fixed rate, so there is no congestion controller; feedback
 * is only recorded.
 */
import { nowMs } from '../../core/system/clock.ts';
import type { Feedback } from '../congestion/controller.ts';
import type { VoiceOptions } from '../control/protocol.ts';
import type { VoiceEncoder } from '../media/voice/encoder.ts';
import { type RtcpMessage, readRtcp } from '../rtp/rtcp-reader.ts';
import { roundTripMs } from '../rtp/sender-report.ts';
import type { MediaConnection, VoiceParameters } from '../transport/connection.ts';
import { SentPackets } from '../transport/sent-packets.ts';
import { VoiceSender } from '../transport/voice-sender.ts';
import type { SessionRecorder } from './recorder.ts';
import type { SessionSample } from './sampler.ts';
import { VoiceStream } from './voice-stream.ts';

const senderReportMs = 500;
const cname = 'coexist';

export class VoiceSession {
  /** Promise that rejects if the encoder fails, and resolves after `stop`. */
  readonly ended: Promise<void>;
  readonly #peer: MediaConnection;
  readonly #recorder: SessionRecorder;
  readonly #sentPackets = new SentPackets();
  readonly #stream: VoiceStream;
  readonly #timers: NodeJS.Timeout[];
  readonly #bitrateBps: number;
  #rttMs: number | null = null;
  #malformedRtcp = 0;
  #number = 0;
  #stopping: Promise<void> | undefined;

  constructor(parts: {
    peer: MediaConnection;
    voice: VoiceParameters;
    clip: Int16Array;
    encoder: VoiceEncoder;
    options: VoiceOptions;
    recorder: SessionRecorder;
  }) {
    const { peer, voice, clip, encoder, options, recorder } = parts;
    this.#peer = peer;
    this.#recorder = recorder;
    this.#bitrateBps = options.bitrateBps;
    const numbers = { sentPackets: this.#sentPackets, takeNumber: () => this.#number++ };
    const sender = new VoiceSender(peer, voice, numbers, departure => recorder.onDeparture(departure));
    this.#stream = new VoiceStream({ clip, encoder, sender, options, recorder });
    peer.onRtcp = bytes => this.#onRtcp(bytes);
    this.ended = this.#stream.run();
    this.#timers = [
      setInterval(() => peer.sendRtcp(this.#stream.report(nowMs(), cname)), senderReportMs),
      setInterval(() => recorder.flush(nowMs()), 1000),
    ];
  }

  /** Returns the present values. The frames are those of the voice; peaks start anew. */
  sample(): SessionSample {
    const { packets, bytes } = this.#stream.sender.counters;
    return {
      framesEncoded: packets,
      framesSkippedLate: 0,
      framesSkippedPacer: 0,
      framesSkippedPushback: 0,
      frameLatenessMaxMs: this.#stream.takeLatenessMaxMs(),
      encodeMaxMs: 0,
      keyFrames: 0,
      rateChanges: 0,
      sentBytes: bytes,
      sentPackets: packets,
      retransmissions: 0,
      protectionPackets: 0,
      nackedPackets: 0,
      pictureLossIndications: 0,
      fullIntraRequests: 0,
      malformedRtcp: this.#malformedRtcp,
      targetBps: this.#bitrateBps,
      encoderBps: this.#bitrateBps,
      rttMs: this.#rttMs,
      pacerQueueMaxMs: 0,
    };
  }

  setPaused(isPaused: boolean): void {
    this.#stream.setPaused(isPaused);
  }

  /** Stops sending. Resolves when the record is complete. Further calls return the same promise. */
  stop(): Promise<void> {
    return (this.#stopping ??= this.#stop());
  }

  async #stop(): Promise<void> {
    this.#stream.stop();
    for (const timer of this.#timers) clearInterval(timer);
    this.#peer.onRtcp = () => {};
    await this.ended.catch(() => {}); // the owner of `ended` handles a failure of the encoder
    await this.#recorder.close();
  }

  #onRtcp(bytes: Buffer): void {
    const arrivedMs = nowMs();
    const { messages, malformed } = readRtcp(bytes);
    if (malformed !== undefined) this.#malformedRtcp++;
    for (const message of messages) this.#onMessage(message, arrivedMs);
  }

  #onMessage(message: RtcpMessage, arrivedMs: number): void {
    switch (message.kind) {
      case 'transport-feedback':
        return this.#onFeedback(this.#sentPackets.resolve(message.feedback, arrivedMs));
      case 'report':
        for (const block of message.blocks) {
          const rttMs = block.ssrc === this.#stream.sender.stream.ssrc ? roundTripMs(block, arrivedMs) : undefined;
          if (rttMs === undefined) continue;
          this.#rttMs = rttMs;
          this.#recorder.onRoundTrip(arrivedMs, rttMs, 'report');
        }
        return;
      default: // the voice is never sent again, and has no frames to ask for
        return;
    }
  }

  #onFeedback(feedback: Feedback | undefined): void {
    if (feedback === undefined) return;
    this.#recorder.onFeedback(feedback, {});
    const newest = feedback.packets.findLast(packet => packet.receivedMs !== null);
    if (newest !== undefined)
      this.#recorder.onRoundTrip(feedback.arrivedMs, feedback.arrivedMs - newest.sentMs, 'feedback');
  }
}
