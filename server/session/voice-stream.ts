/**
 * The voice of a session: takes the clip frame by frame as a microphone does, encodes the frames and sends them, at once
 * and not through the pacer (libwebrtc 2026-08, modules/pacing/pacing_controller.cc: audio is not paced by default).
 *
 * A frame is complete, and sent, one frame length after its first sample was spoken. If the loop is late, the frames
 * that wait are sent together, since a sound card keeps what was spoken meanwhile.
 */
import { randomInt } from 'node:crypto';
import { nowMs } from '../../core/system/clock.ts';
import { sleep } from '../../core/system/deadline.ts';
import { recordedRateHz, voiceRateHz } from '../../core/vocabulary/voice.ts';
import type { VoiceOptions } from '../control/protocol.ts';
import { recordedVoice } from '../media/voice/clip.ts';
import type { VoiceEncoder } from '../media/voice/encoder.ts';
import { voiceWireBps } from '../media/voice/rate.ts';
import { type AudioFrame, redPayload } from '../rtp/red.ts';
import { writeSenderReport } from '../rtp/sender-report.ts';
import type { VoiceSender } from '../transport/voice-sender.ts';

/**
 * State of the voice, once a second. `spokenMs`: time at which the sample was spoken whose place in the clip is
 * `clipMs` and whose RTP timestamp (48 kHz) is `rtpTimestamp`.
 */
export type VoiceSentRecord = {
  spokenMs: number;
  clipMs: number;
  rtpTimestamp: number;
  packets: number;
  payloadBytes: number;
  /** Number of earlier frames that each packet repeats (RED). Older records do not have it. */
  redundantFrames?: number;
  /** Longest time by which a frame was sent late since the last record. */
  latenessMaxMs: number;
};

/** One second of the clip at 16 kHz: 16-bit samples, little endian, in base64. */
export type VoiceClipRecord = { clipMs: number; pcm: string };

type VoiceRecorder = { onVoice(record: VoiceSentRecord): void; onVoiceClip(record: VoiceClipRecord): void };

const recordMs = 1000;
const clockPerMs = voiceRateHz / 1000;

export class VoiceStream {
  /** Rate on the wire, over the last second or longer, bit/s; the rate of the options before the first second. */
  rateBps: number;
  readonly sender: VoiceSender;
  readonly #clip: Int16Array;
  readonly #encoder: VoiceEncoder;
  readonly #options: VoiceOptions;
  readonly #recorder: VoiceRecorder;
  readonly #timestampBase = randomInt(2 ** 32);
  readonly #stop = new AbortController();
  #startMs = 0;
  #latenessMaxMs = 0;
  #peakMs = 0;
  #recorded = { timeMs: 0, bytes: 0 };
  #earlier: AudioFrame[] = [];
  #silent = true;
  #isPaused = false;

  constructor(parts: {
    clip: Int16Array;
    encoder: VoiceEncoder;
    sender: VoiceSender;
    options: VoiceOptions;
    recorder: VoiceRecorder;
  }) {
    this.#clip = parts.clip;
    this.#encoder = parts.encoder;
    this.#options = parts.options;
    this.#recorder = parts.recorder;
    this.sender = parts.sender;
    this.rateBps = voiceWireBps(parts.options);
  }

  /** Sends until `stop` is called. Rejects only if encoding fails. */
  async run(): Promise<void> {
    this.#recordClip();
    this.#startMs = nowMs();
    this.#recorded = { timeMs: this.#startMs, bytes: 0 };
    const { frameMs } = this.#options;
    const { signal } = this.#stop;
    try {
      for (let number = 0; !signal.aborted; number++) {
        const dueMs = this.#startMs + (number + 1) * frameMs;
        const waitMs = dueMs - nowMs();
        if (waitMs > 0) await sleep(waitMs, signal).catch(() => {});
        if (signal.aborted) return;
        const encoded = await this.#encoder.encode(this.#frame(number));
        if (signal.aborted) return;
        if (!this.#isPaused) this.#send(number, encoded);
        const latenessMs = nowMs() - dueMs;
        this.#latenessMaxMs = Math.max(this.#latenessMaxMs, latenessMs);
        this.#peakMs = Math.max(this.#peakMs, latenessMs);
        if (nowMs() - this.#recorded.timeMs >= recordMs || number === 0) this.#record(number);
      }
    } finally {
      this.#encoder.close();
    }
  }

  stop(): void {
    this.#stop.abort(new Error('the voice was stopped'));
  }

  /** Stops sending, or goes on; the clip goes on meanwhile, as people do whose microphone is off. */
  setPaused(isPaused: boolean): void {
    this.#isPaused = isPaused;
    if (isPaused) this.#silent = true;
  }

  /** Returns the longest time by which a frame was sent late since the last call, ms. */
  takeLatenessMaxMs(): number {
    const peakMs = this.#peakMs;
    this.#peakMs = 0;
    return peakMs;
  }

  /** Returns an RTCP sender report with the clock of the voice. */
  report(timeMs: number, cname: string): Buffer {
    const { packets, payloadBytes } = this.sender.counters;
    return writeSenderReport({
      ssrc: this.sender.stream.ssrc,
      timeMs,
      rtpTimestamp: this.#timestampBase + Math.round((timeMs - this.#startMs) * clockPerMs),
      packetCount: packets,
      octetCount: payloadBytes,
      cname,
    });
  }

  #timestamp(number: number): number {
    return (this.#timestampBase + number * this.#encoder.frameSamples) >>> 0;
  }

  /** Returns the samples of a frame; the clip is a loop. */
  #frame(number: number): Int16Array {
    const { frameSamples } = this.#encoder;
    const from = (number * frameSamples) % this.#clip.length;
    if (from + frameSamples <= this.#clip.length) return this.#clip.subarray(from, from + frameSamples);
    const frame = new Int16Array(frameSamples);
    frame.set(this.#clip.subarray(from));
    frame.set(this.#clip.subarray(0, from + frameSamples - this.#clip.length), this.#clip.length - from);
    return frame;
  }

  #send(number: number, payload: Buffer | undefined): void {
    if (payload === undefined) {
      this.#silent = true;
      return;
    }
    const { payloadType, redPayloadType } = this.sender.stream;
    const frame = { rtpTimestamp: this.#timestamp(number), payload };
    const red = redPayloadType !== undefined && this.#options.red > 0;
    this.sender.send(
      {
        payload: red ? redPayload(frame, this.#earlier, payloadType) : payload,
        payloadType: red ? redPayloadType : payloadType,
        rtpTimestamp: frame.rtpTimestamp,
        marker: this.#silent,
      },
      nowMs(),
    );
    this.#silent = false;
    if (red) this.#earlier = [...this.#earlier, frame].slice(-this.#options.red);
  }

  #record(number: number): void {
    const samples = number * this.#encoder.frameSamples;
    const { packets, payloadBytes, bytes } = this.sender.counters;
    const timeMs = nowMs();
    const elapsedMs = timeMs - this.#recorded.timeMs;
    if (elapsedMs >= recordMs) this.rateBps = ((bytes - this.#recorded.bytes) * 8000) / elapsedMs;
    this.#recorded = { timeMs, bytes };
    this.#recorder.onVoice({
      spokenMs: this.#startMs + samples / clockPerMs,
      clipMs: (samples % this.#clip.length) / clockPerMs,
      rtpTimestamp: this.#timestamp(number),
      packets,
      payloadBytes,
      redundantFrames: this.sender.stream.redPayloadType === undefined ? 0 : this.#options.red,
      latenessMaxMs: this.#latenessMaxMs,
    });
    this.#latenessMaxMs = 0;
  }

  #recordClip(): void {
    const samples = recordedVoice(this.#clip);
    for (let from = 0; from < samples.length; from += recordedRateHz) {
      const { buffer, byteOffset, byteLength } = samples.subarray(from, from + recordedRateHz);
      this.#recorder.onVoiceClip({
        clipMs: (from * 1000) / recordedRateHz,
        pcm: Buffer.from(buffer, byteOffset, byteLength).toString('base64'),
      });
    }
  }
}
