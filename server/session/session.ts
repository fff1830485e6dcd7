/**
 * A session sends the clip to one connected browser. This file connects encoder, packetizer, pacer, RTP sender,
 * controller and recorder with each other.
 */
import { nowMs } from '../../core/system/clock.ts';
import { type EcnCounts, noPackets } from '../../core/vocabulary/ecn.ts';
import type { Controller, Decision, Feedback } from '../congestion/controller.ts';
import type { StreamOptions } from '../control/protocol.ts';
import type { Clip } from '../media/clip.ts';
import type { FrameEncoder } from '../media/encoder.ts';
import type { Ladder } from '../media/ladder.ts';
import type { VoiceEncoder } from '../media/voice/encoder.ts';
import { Pacer } from '../pacing/pacer.ts';
import { packetize } from '../rtp/h264-packetizer.ts';
import { LossReports } from '../rtp/loss-reports.ts';
import { type ReportBlock, type RtcpMessage, readRtcp } from '../rtp/rtcp-reader.ts';
import { roundTripMs, writeSenderReport } from '../rtp/sender-report.ts';
import { type MediaConnection, overheadBytes } from '../transport/connection.ts';
import { type Departure, type OutgoingPacket, RtpSender } from '../transport/rtp-sender.ts';
import { VoiceSender } from '../transport/voice-sender.ts';
import { FrameLoop, type LoopFrame } from './frame-loop.ts';
import { MediaShare } from './media-share.ts';
import type { SessionRecorder } from './recorder.ts';
import { VoiceStream } from './voice-stream.ts';

type SessionCounters = {
  nackedPackets: number;
  pictureLossIndications: number;
  fullIntraRequests: number;
  malformedRtcp: number;
  /** Packets by the ECN field with which they arrived; undefined until feedback has reported the field. */
  reportedEcn?: EcnCounts;
};

/**
 * Shortest time between two requested key frames, ms, so that one key frame answers all requests within a round trip.
 */
const keyFrameIntervalMs = 300;
/** Round trip that is assumed before the first measurement, ms. */
const unknownRttMs = 100;
/** Time between two ticks of the controller, ms (libwebrtc 2026-08 goog_cc_factory.cc). */
const tickMs = 25;
const senderReportMs = 500;
const rtpClockPerMs = 90;
/** Name that video and voice share, by which the receiver synchronises them (RFC 3550, section 6.5.1). */
const cname = 'coexist';
/** Pacing rate before the controller's first decision, as a multiple of the start rate. */
const startPacingFactor = 2.5;

export class Session {
  readonly counters: SessionCounters = {
    nackedPackets: 0,
    pictureLossIndications: 0,
    fullIntraRequests: 0,
    malformedRtcp: 0,
  };
  readonly loop: FrameLoop;
  readonly sender: RtpSender;
  /** Newest round trip from the receiver's reports; undefined before the first report. */
  rttMs: number | undefined;
  targetBps: number;
  pacerQueueMaxMs = 0;
  /** Promise that rejects if the encoder fails, and resolves after `stop`. */
  readonly ended: Promise<void>;
  readonly #peer: MediaConnection;
  readonly #controller: Controller;
  readonly #recorder: SessionRecorder;
  readonly #pacer: Pacer<OutgoingPacket>;
  readonly #encoder: FrameEncoder;
  readonly #share = new MediaShare();
  readonly #voice: VoiceStream | undefined;
  readonly #lossReports = new LossReports();
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #startMs = nowMs();
  readonly #timestampBase = Math.floor(this.#startMs * rtpClockPerMs) >>> 0;
  #pacerTimer: NodeJS.Timeout | undefined;
  #pacerDueMs = Infinity;
  #lastKeyRequestMs = -Infinity;
  #lastFir: number | undefined;
  #stopping: Promise<void> | undefined;

  constructor(parts: {
    peer: MediaConnection;
    clip: Clip;
    encoder: FrameEncoder;
    ladder?: Ladder;
    controller: Controller;
    recorder: SessionRecorder;
    options: StreamOptions;
    /** True if the receiver's feedback reports single packets: transport-wide feedback and RFC 8888, not REMB. */
    tellsOfPackets?: boolean;
    /** Voice to send beside the video, by `options.voice`. */
    voice?: { clip: Int16Array; encoder: VoiceEncoder };
  }) {
    const { peer, clip, encoder, ladder, controller, recorder, options, tellsOfPackets = true, voice } = parts;
    this.#peer = peer;
    this.#encoder = encoder;
    this.#controller = controller;
    this.#recorder = recorder;
    this.targetBps = options.startBps;
    this.sender = new RtpSender(peer, options.playoutDelay ?? undefined, departure => this.#onDeparture(departure), {
      ratio: options.protectionRatio,
      onRepair: packet => this.#pacer.enqueue([packet]),
    });
    this.#pacer = new Pacer(options.startBps * startPacingFactor, {
      send: (packet, now, probe) => this.sender.send(packet, now, probe),
      sendPadding: (bytes, now, probe) => this.sender.sendPadding(bytes, now, probe),
    });
    this.loop = new FrameLoop(
      clip,
      encoder,
      options.frameRate,
      {
        onFrame: frame => this.#onFrame(frame, options.frameRate),
        onSkip: ({ number, captureMs, reason, count }) =>
          recorder.onSkipped({ frame: number, captureMs, skipped: reason, count }),
        pacerIsFull: () => this.#pacer.drainMs > options.pacerLimitMs,
        period: () => ladder?.rung.period ?? 1,
      },
      options.clipZeroMs,
    );
    peer.onRtcp = bytes => this.#onRtcp(bytes);
    if (voice !== undefined && options.voice !== undefined && peer.voice !== undefined)
      this.#voice = new VoiceStream({
        ...voice,
        sender: new VoiceSender(peer, peer.voice, this.sender, departure => this.#onDeparture(departure)),
        options: options.voice,
        recorder,
      });
    const voiceBps = this.#voice?.rateBps ?? 0;
    this.#decide(
      controller.onConstraints(
        { minBps: options.minBps + voiceBps, startBps: options.startBps + voiceBps, maxBps: options.maxBps + voiceBps },
        nowMs(),
      ),
    );
    this.#timers.push(
      setInterval(() => {
        const now = nowMs();
        this.#decide(controller.onTick(now, this.#pacer.queuedBytes));
        recorder.onTick(now, tellsOfPackets ? this.sender.sentPackets.inFlightBytes : undefined, () =>
          controller.trace(),
        );
      }, tickMs),
      setInterval(() => this.#sendReport(), senderReportMs),
      setInterval(() => recorder.flush(nowMs()), 1000),
    );
    const video = this.loop.run().finally(() => encoder.close());
    this.ended = Promise.all([video, this.#voice?.run()]).then(() => {});
  }

  /** Current rate that is set in the encoder, bit/s. */
  get encoderBps(): number {
    return this.#encoder.rateBps;
  }

  /** Stops sending. Resolves when the record is complete. Further calls return the same promise. */
  stop(): Promise<void> {
    return (this.#stopping ??= this.#stop());
  }

  async #stop(): Promise<void> {
    this.loop.stop();
    this.#voice?.stop();
    for (const timer of this.#timers) clearInterval(timer);
    clearTimeout(this.#pacerTimer);
    this.#peer.onRtcp = () => {};
    await this.ended.catch(() => {}); // the owner of `ended` handles a failure of the encoder
    await this.#recorder.close();
  }

  /**
   * Stops taking frames and voice, or goes on. What waits in the pacer still leaves. Padding and probes end, as in
   * libwebrtc without an active stream (2026-08 call/bitrate_allocator.cc).
   */
  setPaused(isPaused: boolean): void {
    this.loop.setPaused(isPaused);
    this.#voice?.setPaused(isPaused);
    this.#pacer.setPaused(isPaused);
  }

  takePacerQueueMaxMs(): number {
    const max = this.pacerQueueMaxMs;
    this.pacerQueueMaxMs = 0;
    return max;
  }

  #onDeparture(departure: Departure): void {
    this.#recorder.onDeparture(departure);
    this.#decide(this.#controller.onPacketSent(departure.sent));
  }

  #onFrame({ number, clipFrame, captureMs, encodedMs, encoded }: LoopFrame, frameRate: number): void {
    const rtpTimestamp = (this.#timestampBase + Math.round((number * 90_000) / frameRate)) >>> 0;
    const payloads = packetize(encoded.data);
    this.#recorder.onEncoded(
      {
        frame: number,
        rtpTimestamp,
        clipFrame,
        captureMs,
        encodedMs,
        bytes: encoded.data.length,
        packets: payloads.length,
        key: encoded.key,
        encoderBps: this.#encoder.rateBps,
      },
      encoded.data,
    );
    this.#pacer.enqueue(
      payloads.map(
        (payload, i): OutgoingPacket => ({
          kind: 'media',
          payload,
          sizeBytes: payload.length + overheadBytes,
          queuedMs: encodedMs,
          rtpTimestamp,
          marker: i === payloads.length - 1,
          frame: number,
        }),
      ),
    );
    this.pacerQueueMaxMs = Math.max(this.pacerQueueMaxMs, this.#pacer.drainMs);
    this.#pace();
  }

  /** Lets the pacer send the packets that are due, and sets the timer for the pacer's next call. */
  #pace(): void {
    if (this.#stopping !== undefined) return;
    const now = nowMs();
    this.#pacer.setInFlight(this.sender.sentPackets.inFlightBytes);
    const dueMs = this.#pacer.process(now);
    if (dueMs === this.#pacerDueMs) return;
    clearTimeout(this.#pacerTimer);
    this.#pacerDueMs = dueMs;
    if (dueMs === Infinity) return;
    this.#pacerTimer = setTimeout(
      () => {
        this.#pacerDueMs = Infinity;
        this.#pace();
      },
      Math.max(0, dueMs - now),
    );
  }

  #decide(decision: Decision): void {
    if (decision.targetBps !== undefined) this.targetBps = decision.targetBps;
    const { payloadBytes, mediaPackets, bytes, paddingBytes } = this.sender.counters;
    this.loop.setTarget(
      Math.max(0, this.targetBps - (this.#voice?.rateBps ?? 0)) *
        this.#share.update(nowMs(), { payloadBytes, mediaPackets, wireBytes: bytes - paddingBytes }),
    );
    if (decision.frameDropRatio !== undefined) this.loop.setDropRatio(decision.frameDropRatio);
    this.#pacer.setRates(decision);
    const now = nowMs();
    for (const probe of decision.probes ?? []) this.#pacer.addProbe(probe, now);
    this.#recorder.onDecision(decision, now);
  }

  #onRtcp(bytes: Buffer): void {
    const arrivedMs = nowMs();
    const { messages, malformed } = readRtcp(bytes);
    if (malformed !== undefined) this.counters.malformedRtcp++;
    for (const message of messages) this.#onMessage(message, arrivedMs);
    this.#pace();
  }

  #onMessage(message: RtcpMessage, arrivedMs: number): void {
    switch (message.kind) {
      case 'transport-feedback':
        return this.#onFeedback(this.sender.sentPackets.resolve(message.feedback, arrivedMs));
      case 'congestion-feedback':
        return this.#onFeedback(this.sender.sentPackets.resolveStreams(message.feedback, arrivedMs));
      case 'report': {
        const since = this.#lossReports.add(message.blocks);
        if (since !== undefined) this.#controller.onLossReport?.(since.lostPackets, since.expectedPackets, arrivedMs);
        for (const block of message.blocks) this.#onReport(block, arrivedMs);
        return;
      }
      case 'nack':
        if (message.mediaSsrc === this.sender.ssrc) this.#onNack(message.sequences, arrivedMs);
        return;
      case 'picture-loss':
        this.counters.pictureLossIndications++;
        return this.#requestKeyFrame(arrivedMs);
      case 'full-intra-request':
        for (const { command } of message.entries) {
          if (command === this.#lastFir) continue; // a repetition of the last command (RFC 5104, 4.3.1.2)
          this.#lastFir = command;
          this.counters.fullIntraRequests++;
          this.#requestKeyFrame(arrivedMs);
        }
        return;
      case 'receiver-estimate':
        if (!message.mediaSsrcs.includes(this.sender.ssrc)) return;
        return this.#onFeedback({ arrivedMs, packets: [], inFlightBytes: 0, receiverEstimateBps: message.bitrateBps });
      case 'bye':
        return;
    }
  }

  #onFeedback(feedback: Feedback | undefined): void {
    if (feedback === undefined) return;
    if (this.rttMs !== undefined) feedback.rttMs = this.rttMs;
    this.#decide(this.#controller.onFeedback(feedback));
    this.#recorder.onFeedback(feedback, this.#controller.trace());
    for (const { ecn } of feedback.packets) if (ecn !== undefined) (this.counters.reportedEcn ??= noPackets())[ecn]++;
    const newest = feedback.packets.findLast(packet => packet.receivedMs !== null);
    if (newest !== undefined)
      this.#recorder.onRoundTrip(feedback.arrivedMs, feedback.arrivedMs - newest.sentMs, 'feedback');
  }

  #onReport(block: ReportBlock, arrivedMs: number): void {
    if (block.ssrc !== this.sender.ssrc) return;
    const rttMs = roundTripMs(block, arrivedMs);
    if (rttMs === undefined) return;
    this.rttMs = rttMs;
    this.#controller.onRoundTrip?.(rttMs);
    this.#recorder.onRoundTrip(arrivedMs, rttMs, 'report');
  }

  #onNack(sequences: readonly number[], now: number): void {
    this.counters.nackedPackets += sequences.length;
    for (const sequence of sequences) {
      const packet = this.sender.retransmission(sequence, this.rttMs ?? unknownRttMs, now);
      if (packet === 'gone')
        this.#requestKeyFrame(now); // no retransmission is possible, so a key frame is needed
      else if (packet !== 'not-now') this.#pacer.enqueue([packet]);
    }
  }

  #requestKeyFrame(now: number): void {
    if (now - this.#lastKeyRequestMs < keyFrameIntervalMs) return;
    this.#lastKeyRequestMs = now;
    this.loop.requestKeyFrame();
  }

  #sendReport(): void {
    const timeMs = nowMs();
    if (this.#voice !== undefined) this.#peer.sendRtcp(this.#voice.report(timeMs, cname));
    this.#peer.sendRtcp(
      writeSenderReport({
        ssrc: this.sender.ssrc,
        timeMs,
        rtpTimestamp: this.#timestampBase + Math.round((timeMs - this.#startMs) * rtpClockPerMs),
        packetCount: this.sender.counters.mediaPackets,
        octetCount: this.sender.counters.payloadBytes,
        cname,
      }),
    );
  }
}
