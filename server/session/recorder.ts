/**
 * Writes the raw series of the sender during the trial: frames, packets, state and probes of the controller, round
 * trips. Times are Unix ms on the clock of this process; the trial's record has the offset to the harness's clock.
 */
import { devNull } from 'node:os';
import { join } from 'node:path';
import { FileWriter } from '../../core/system/file-writer.ts';
import { JsonlWriter } from '../../core/system/jsonl.ts';
import type { EcnField } from '../../core/vocabulary/ecn.ts';
import type { PacketKind } from '../../core/vocabulary/packet-kind.ts';
import { WindowedExtreme } from '../../core/windowed-extreme.ts';
import type { Decision, Feedback, Trace } from '../congestion/controller.ts';
import { recordFiles } from '../control/record-files.ts';
import { ivfFrame, ivfHeader, type VideoFacts } from '../media/ivf.ts';
import type { Departure } from '../transport/rtp-sender.ts';
import { AckedBitrate } from './acked-bitrate.ts';
import type { SkipReason } from './frame-loop.ts';
import { ProbeLog } from './probe-log.ts';
import type { VoiceClipRecord, VoiceSentRecord } from './voice-stream.ts';

/** An encoded frame. The record is written when the last packet of the frame has left. */
export type SentFrameRecord = {
  frame: number;
  rtpTimestamp: number;
  clipFrame: number;
  captureMs: number;
  encodedMs: number;
  firstPacketMs: number;
  lastPacketMs: number;
  bytes: number;
  packets: number;
  key: boolean;
  encoderBps: number;
};

/** Consecutive frames that were not encoded, with the reason. `frame`: number of the first of them. */
export type SkippedFrameRecord = { frame: number; captureMs: number; skipped: SkipReason; count: number };

/** A sent packet and the feedback on it. `receivedMs` is on the browser's clock, which has another origin. */
export type PacketRecord = {
  sequence: number;
  kind: PacketKind;
  rtpSequence: number;
  rtpTimestamp: number;
  frame: number;
  sentMs: number;
  bytes: number;
  payloadBytes: number;
  probe?: number;
  receivedMs: number | null;
  feedbackMs: number | null;
  /** ECN field with which the packet arrived; missing without feedback that reports it. */
  receivedEcn?: EcnField;
};

/** Time after sending at which a packet's record is complete and written, ms. */
const settleMs = 5000;
/** Longest time between two records of the controller's state, ms. Each feedback also writes a record. */
const stateMs = 100;
/** Length of the window over which the shortest round trip is taken, ms; the same as in BBR. */
const roundTripWindowMs = 10_000;

type OpenFrame = Omit<SentFrameRecord, 'firstPacketMs' | 'lastPacketMs'> & { firstPacketMs: number; left: number };

export class SessionRecorder {
  readonly #frames: JsonlWriter;
  readonly #packets: JsonlWriter;
  readonly #controller: JsonlWriter;
  readonly #probeLines: JsonlWriter;
  readonly #roundTrips: JsonlWriter;
  readonly #voice: JsonlWriter | undefined;
  readonly #voiceClip: JsonlWriter | undefined;
  readonly #video: FileWriter | undefined;
  readonly #openFrames = new Map<number, OpenFrame>();
  readonly #openPackets = new Map<number, PacketRecord>();
  readonly #probes = new ProbeLog();
  readonly #acked = new AckedBitrate();
  readonly #feedbackRoundTrips = new WindowedExtreme('least');
  #lastStateMs = -Infinity;

  /**
   * Opens the files. `directory`: folder of the files; null if no series are kept. `video`: format of the video;
   * undefined if encoded frames are not kept. `hasVoice`: true if the session sends a voice.
   */
  constructor(directory: string | null, video?: VideoFacts, hasVoice = false) {
    const writer = (name: string) => new JsonlWriter(directory === null ? devNull : join(directory, name));
    this.#frames = writer(recordFiles.frames);
    this.#packets = writer(recordFiles.packets);
    this.#controller = writer(recordFiles.controller);
    this.#probeLines = writer(recordFiles.probes);
    this.#roundTrips = writer(recordFiles.roundTrips);
    if (hasVoice) {
      this.#voice = writer(recordFiles.voice);
      this.#voiceClip = writer(recordFiles.voiceClip);
    }
    if (video === undefined || directory === null) return;
    this.#video = new FileWriter(join(directory, recordFiles.video));
    this.#video.write(ivfHeader(video));
  }

  onEncoded(frame: Omit<SentFrameRecord, 'firstPacketMs' | 'lastPacketMs'>, data: Buffer): void {
    this.#video?.write(ivfFrame(frame.frame, data));
    this.#openFrames.set(frame.frame, { ...frame, firstPacketMs: 0, left: frame.packets });
  }

  onVoice(record: VoiceSentRecord): void {
    this.#voice?.write(record);
  }

  onVoiceClip(record: VoiceClipRecord): void {
    this.#voiceClip?.write(record);
  }

  onSkipped(record: SkippedFrameRecord): void {
    this.#frames.write(record);
  }

  onDeparture({ sent, rtpSequence, rtpTimestamp, frame, payloadBytes }: Departure): void {
    this.#openPackets.set(sent.sequence, {
      sequence: sent.sequence,
      kind: sent.kind,
      rtpSequence,
      rtpTimestamp,
      frame,
      sentMs: sent.sentMs,
      bytes: sent.sizeBytes,
      payloadBytes,
      ...(sent.probe === undefined ? {} : { probe: sent.probe }),
      receivedMs: null,
      feedbackMs: null,
    });
    if (sent.probe !== undefined) this.#probes.onSent(sent.probe, sent.sizeBytes);
    const open = this.#openFrames.get(frame);
    if (open === undefined || sent.kind !== 'media') return;
    if (open.left === open.packets) open.firstPacketMs = sent.sentMs;
    if (--open.left > 0) return;
    this.#openFrames.delete(frame);
    const { left: _left, ...record } = open;
    this.#frames.write({ ...record, lastPacketMs: sent.sentMs });
  }

  onFeedback(feedback: Feedback, trace: Trace): void {
    let [ackedBytes, shortestMs] = [0, Infinity];
    for (const { sequence, receivedMs, ecn } of feedback.packets) {
      const packet = this.#openPackets.get(sequence);
      if (packet === undefined) continue;
      if (packet.receivedMs === null && receivedMs !== null) {
        ackedBytes += packet.bytes;
        shortestMs = Math.min(shortestMs, feedback.arrivedMs - packet.sentMs);
        if (packet.probe !== undefined) this.#probes.onReceived(packet.probe, packet.bytes);
      }
      packet.feedbackMs = feedback.arrivedMs;
      packet.receivedMs = receivedMs;
      if (ecn !== undefined) packet.receivedEcn = ecn;
    }
    if (feedback.packets.length > 0) this.#acked.add(feedback.arrivedMs, ackedBytes);
    if (shortestMs < Infinity) this.#feedbackRoundTrips.add(shortestMs, feedback.arrivedMs, roundTripWindowMs);
    this.#writeState(feedback.arrivedMs, feedback.packets.length === 0 ? undefined : feedback.inFlightBytes, trace);
  }

  onDecision(decision: Decision, nowMs: number): void {
    this.#probes.onDecision(decision, nowMs);
  }

  /**
   * Called at every tick. Writes the state if the last written state is at least `stateMs` old. `inFlightBytes`:
   * undefined if the feedback does not report packets.
   */
  onTick(nowMs: number, inFlightBytes: number | undefined, trace: () => Trace): void {
    if (nowMs - this.#lastStateMs >= stateMs) this.#writeState(nowMs, inFlightBytes, trace());
  }

  onRoundTrip(timeMs: number, rttMs: number, from: 'report' | 'feedback'): void {
    this.#roundTrips.write({ timeMs, rttMs, from });
  }

  /** Writes the records that are complete. Called about once a second. */
  flush(nowMs: number): void {
    for (const [sequence, packet] of this.#openPackets) {
      if (nowMs - packet.sentMs < settleMs) break;
      this.#packets.write(packet);
      this.#openPackets.delete(sequence);
    }
    for (const probe of this.#probes.take(nowMs)) this.#probeLines.write(probe);
  }

  async close(): Promise<void> {
    this.flush(Infinity);
    await Promise.all([
      this.#frames.close(),
      this.#packets.close(),
      this.#controller.close(),
      this.#probeLines.close(),
      this.#roundTrips.close(),
      this.#voice?.close(),
      this.#voiceClip?.close(),
      this.#video?.close(),
    ]);
  }

  /**
   * Writes the state of the controller. If the controller traces an acked bitrate or a shortest round trip, the
   * controller's value replaces that of the recorder.
   */
  #writeState(timeMs: number, inFlightBytes: number | undefined, trace: Trace): void {
    this.#lastStateMs = timeMs;
    // JSON leaves out undefined values.
    this.#controller.write({
      timeMs,
      inFlightBytes,
      ackedBps: this.#acked.bps(timeMs),
      minRttMs: this.#feedbackRoundTrips.after(timeMs - roundTripWindowMs),
      ...trace,
    });
  }
}
