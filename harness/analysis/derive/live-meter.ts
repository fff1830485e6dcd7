/** Live values of a trial or a demonstration, computed from the same records that are written to the run folder. */

import type { Reading } from '../../../core/stats/counters.ts';
import type { GapLimits } from '../../../core/vocabulary/measure.ts';
import type { PresentedFrameRecord } from '../../record/series/frames.presented.ts';
import type { PageRecord } from '../../record/series/page.ts';
import type { PingRecord } from '../../record/series/ping.ts';
import type { StatsRecord } from '../../record/series/stats.ts';
import { FrameMeter, type FrameReading } from './frame-meter.ts';
import { RateMeter } from './rate-meter.ts';
import { InterruptionMeter, type Interruptions } from './voice/interruption-meter.ts';

export type LiveReading = FrameReading & {
  /** Media that the viewer's browser received, bit/s; null if the browser does not report it. */
  goodputBps: number | null;
  /**
   * `subjectWireBps`: rate of the media at the bottleneck with all headers, bit/s. `otherWireBps`: rate of all other
   * traffic there. Null if the traffic is not counted.
   */
  subjectWireBps: number | null;
  otherWireBps: number | null;
  /** Bits of received media per shown pixel; null before the first frame. */
  bitsPerPixel: number | null;
  /** Round trip of the newest probe, ms; null if no probe came back lately. */
  rttMs: number | null;
  /** Interruptions of the voice since the meter was made or reset, by the browser; null if no voice is received. */
  interruptions: Interruptions | null;
};

/**
 * Bytes of a packet outside RTP header and payload: Ethernet without checksum, IPv4, UDP, and SRTP's tag (RFC 3711, 80
 * bits).
 */
const wireBytes = 14 + 20 + 8 + 10;
/** Sentence that explains the two rates at the bottleneck to readers. */
export const wireRatesWords =
  `Bit rates: the stream is what its browser received, with RTP headers and ${wireBytes} bytes more for each packet; ` +
  'the flood is all else that left the bottleneck, so also probes, feedback, and packets of the stream that were ' +
  'lost behind it.';
/** Time for which the last round trip is shown, ms. */
const rttStaysMs = 2000;

/** Bytes of a received stream with the headers of its packets. */
const onWire = (entry: NonNullable<StatsRecord['inbound']>) =>
  Number(entry['bytesReceived'] ?? 0) +
  Number(entry['headerBytesReceived'] ?? 0) +
  wireBytes * Number(entry['packetsReceived'] ?? 0);

export class LiveMeter {
  readonly #frames: FrameMeter;
  /**
   * Frames that are not added to the meter yet, because the page has not yet reported how long it was held up when they
   * were shown.
   */
  #untold: PresentedFrameRecord[] = [];
  #heldUpMs: number | undefined;
  readonly #media = new RateMeter();
  readonly #mediaWire = new RateMeter();
  readonly #bottleneck = new RateMeter();
  readonly #voice = new InterruptionMeter();
  #pixels = 0;
  #ping: { answeredMs: number; rttMs: number } | undefined;

  constructor(limits: GapLimits) {
    this.#frames = new FrameMeter(limits);
  }

  presented(record: PresentedFrameRecord): void {
    this.#untold.push(record);
    this.#pixels = record.width * record.height;
  }

  page({ mainThreadDelayMaxMs }: PageRecord): void {
    this.#heldUpMs = Math.max(this.#heldUpMs ?? 0, mainThreadDelayMaxMs);
    this.#tell();
  }

  stats({ timeMs, inbound, inboundAudio }: StatsRecord): void {
    if (inboundAudio !== undefined) this.#voice.add(inboundAudio);
    const bytes = inbound?.['bytesReceived'];
    if (typeof bytes === 'number') this.#media.add({ timeMs, value: bytes });
    const received = [inbound, inboundAudio].filter(entry => entry != null);
    if (received.some(entry => typeof entry['bytesReceived'] === 'number'))
      this.#mediaWire.add({ timeMs, value: received.reduce((sum, entry) => sum + onWire(entry), 0) });
  }

  /** Adds a reading of the counter of all bytes that left the bottleneck, as the link counts them. */
  bottleneck(reading: Reading): void {
    this.#bottleneck.add(reading);
  }

  ping({ timeMs, rttMs }: PingRecord): void {
    if (rttMs !== null) this.#ping = { answeredMs: timeMs + rttMs, rttMs };
  }

  /** Resets stalls and interruptions. */
  reset(): void {
    this.#tell();
    this.#voice.reset();
    this.#frames.reset();
  }

  read(timeMs: number): LiveReading {
    this.#tell();
    const media = this.#media.read(timeMs);
    const [mediaWire, all] = [this.#mediaWire.read(timeMs), this.#bottleneck.read(timeMs)];
    const frames = this.#frames.read(timeMs);
    const shownPixels = this.#pixels * frames.framesPerSecond;
    return {
      ...frames,
      subjectWireBps: mediaWire === undefined ? null : mediaWire * 8,
      // the two counters are read at slightly different times, so the difference may be negative
      otherWireBps: all === undefined ? null : Math.max(0, all - (mediaWire ?? 0)) * 8,
      bitsPerPixel: media === undefined || shownPixels === 0 ? null : (media * 8) / shownPixels,
      goodputBps: media === undefined ? null : media * 8,
      interruptions: this.#voice.read(),
      rttMs: this.#ping !== undefined && timeMs - this.#ping.answeredMs <= rttStaysMs ? this.#ping.rttMs : null,
    };
  }

  #tell(): void {
    for (const frame of this.#untold) this.#frames.add(frame, this.#heldUpMs);
    if (this.#untold.length > 0) this.#heldUpMs = undefined;
    this.#untold = [];
  }
}
