/**
 * The pacer: a leaky bucket between packetizer and network (libwebrtc 2026-08 modules/pacing/pacing_controller.cc).
 *
 * Each packet adds its size to a debt that drains at the pacing rate. Packets leave while the debt is smaller than the
 * burst window. Then the pacer waits until the debt has drained, or until a new packet arrives and the debt is below
 * the burst window again. Retransmissions go before media and error correction. Padding is sent only if both queues are
 * empty. Time is an argument: the caller calls `process` no later than the time that the previous call returned.
 */
import type { PacketKind } from '../../core/vocabulary/packet-kind.ts';
import type { Decision, Probe } from '../congestion/controller.ts';
import { ProbePacer } from './probe-pacer.ts';

export type PacedPacket = { kind: Exclude<PacketKind, 'padding'>; sizeBytes: number; queuedMs: number };

type PacerOptions<P extends PacedPacket> = {
  /** Sends a packet. `probe`: id of the probe that the packet belongs to, if any. */
  send(packet: P, nowMs: number, probe: number | undefined): void;
  /** Sends about `bytes` bytes of padding; returns the bytes sent. */
  sendPadding(bytes: number, nowMs: number, probe: number | undefined): number;
  /** Longest burst until a decision sets another, as time at the pacing rate, ms; 40 by default. */
  burstMs?: number | undefined;
};

/** Longest burst in libwebrtc, as time at the pacing rate, ms (PacerConfig). */
const usualBurstMs = 40;

/**
 * Longest time that a packet should wait in the queue, ms. If the queue needs more, the pacer exceeds the pacing rate
 * (kMaxExpectedQueueLength).
 */
const maxQueueMs = 2000;
/** Size of one piece of padding, expressed as time at the padding rate, ms. */
const paddingStepMs = 5;
/** Size of the longest burst at any rate (kMaxBurstSize), bytes. */
const maxBurstBytes = 63_000;
/**
 * Upper limit of the debt, expressed as time at the current rate, ms. Without the limit, old debt would delay packets
 * after a rise of the rate.
 */
const maxDebtMs = 500;
/**
 * Time after the last packet, ms. After this time one packet may leave although the congestion window is full, because
 * only feedback on packets can open the window (kCongestedPacketInterval).
 */
const keepAliveMs = 500;
/** Time added to the drain time of the padding debt, ms, because rounding could leave a remainder for ever. */
const roundingMs = 0.001;

export class Pacer<P extends PacedPacket> {
  readonly #options: PacerOptions<P>;
  readonly #probes = new ProbePacer();
  #retransmissions: P[] = [];
  #media: P[] = [];
  #queuedBytes = 0;
  #debtBytes = 0;
  #paddingDebtBytes = 0;
  #lastMs: number | undefined;
  #lastSentMs = -Infinity;
  #pacingBps: number;
  #paddingBps = 0;
  #windowBytes = Infinity;
  #burstMs: number;
  #inFlightBytes = 0;
  #isPaused = false;

  constructor(pacingBps: number, options: PacerOptions<P>) {
    this.#pacingBps = pacingBps;
    this.#burstMs = options.burstMs ?? usualBurstMs;
    this.#options = options;
  }

  setRates({
    pacingBps,
    paddingBps,
    burstMs,
    congestionWindowBytes,
  }: Pick<Decision, 'pacingBps' | 'paddingBps' | 'burstMs' | 'congestionWindowBytes'>): void {
    if (pacingBps !== undefined) this.#pacingBps = Math.max(1, pacingBps);
    if (paddingBps !== undefined) this.#paddingBps = paddingBps;
    if (burstMs !== undefined) this.#burstMs = burstMs;
    if (congestionWindowBytes !== undefined) this.#windowBytes = congestionWindowBytes;
  }

  /** While the media are paused, the pacer sends what it holds, no padding, and takes no probes. */
  setPaused(isPaused: boolean): void {
    this.#isPaused = isPaused;
    if (isPaused) this.#probes.clear();
  }

  setInFlight(bytes: number): void {
    this.#inFlightBytes = bytes;
  }

  addProbe(probe: Probe, nowMs: number): void {
    if (!this.#isPaused) this.#probes.add(probe, nowMs);
  }

  enqueue(packets: readonly P[]): void {
    for (const packet of packets) {
      (packet.kind === 'retransmission' ? this.#retransmissions : this.#media).push(packet);
      this.#queuedBytes += packet.sizeBytes;
    }
  }

  get queuedBytes(): number {
    return this.#queuedBytes;
  }

  /** Time that the queue needs to drain at the pacing rate, ms. */
  get drainMs(): number {
    return (this.#queuedBytes * 8000) / this.#pacingBps;
  }

  /**
   * Sends the packets that may leave now. Returns the time at which to call again, ms; Infinity if only a new packet
   * requires a call.
   */
  process(nowMs: number): number {
    this.#drain(nowMs);
    for (;;) {
      const step = this.#probes.due(nowMs, this.#queuedBytes > 0);
      if (step !== undefined) {
        this.#sendStep(step.probe, step.stepBytes, nowMs);
        continue;
      }
      if (this.#probes.isUnderWay(nowMs) || !this.#mayLeave(nowMs)) break;
      const packet = this.#take();
      if (packet === undefined) break;
      this.#transmit(packet, nowMs, undefined);
    }
    this.#pad(nowMs);
    return this.#nextMs(nowMs);
  }

  #rate(nowMs: number): number {
    const oldest = this.#media[0] ?? this.#retransmissions[0];
    if (oldest === undefined) return this.#pacingBps;
    const leftMs = Math.max(1, maxQueueMs - (nowMs - oldest.queuedMs));
    return Math.max(this.#pacingBps, (this.#queuedBytes * 8000) / leftMs);
  }

  #drain(nowMs: number): void {
    const elapsedMs = this.#lastMs === undefined ? 0 : nowMs - this.#lastMs;
    this.#lastMs = nowMs;
    const rate = this.#rate(nowMs);
    this.#debtBytes = Math.max(0, Math.min(this.#debtBytes, (rate / 8000) * maxDebtMs) - (rate / 8000) * elapsedMs);
    this.#paddingDebtBytes = Math.max(
      0,
      Math.min(this.#paddingDebtBytes, (this.#paddingBps / 8000) * maxDebtMs) - (this.#paddingBps / 8000) * elapsedMs,
    );
  }

  #mayLeave(nowMs: number): boolean {
    return (
      !this.#windowBlocks(nowMs) &&
      this.#debtBytes < Math.min((this.#burstMs * this.#rate(nowMs)) / 8000, maxBurstBytes)
    );
  }

  #take(): P | undefined {
    const packet = this.#retransmissions.shift() ?? this.#media.shift();
    if (packet !== undefined) this.#queuedBytes -= packet.sizeBytes;
    return packet;
  }

  #transmit(packet: P, nowMs: number, probe: number | undefined): void {
    this.#account(packet.sizeBytes, nowMs);
    this.#options.send(packet, nowMs, probe);
  }

  #account(bytes: number, nowMs: number): void {
    if (bytes > 0) this.#lastSentMs = nowMs;
    this.#debtBytes += bytes;
    this.#paddingDebtBytes += bytes;
    this.#inFlightBytes += bytes;
  }

  /** Sends one step of a probe: first packets from the queue, then padding. */
  #sendStep(probe: Probe, stepBytes: number, nowMs: number): void {
    for (let sent = 0; sent < stepBytes && this.#probes.isOpen(probe.id); ) {
      const packet = this.#take();
      let bytes: number;
      if (packet !== undefined) {
        bytes = packet.sizeBytes;
        this.#transmit(packet, nowMs, probe.id);
      } else {
        bytes = this.#options.sendPadding(stepBytes - sent, nowMs, probe.id);
        this.#account(bytes, nowMs);
      }
      if (bytes === 0) return this.#probes.abandon();
      sent += bytes;
      this.#probes.onSent(bytes, nowMs);
    }
  }

  #pad(nowMs: number): void {
    if (!this.#mayPad() || this.#paddingDebtBytes > 0 || this.#probes.isUnderWay(nowMs)) return;
    this.#account(this.#options.sendPadding((this.#paddingBps / 8000) * paddingStepMs, nowMs, undefined), nowMs);
  }

  #mayPad(): boolean {
    return (
      !this.#isPaused && this.#paddingBps > 0 && this.#queuedBytes === 0 && this.#inFlightBytes < this.#windowBytes
    );
  }

  #nextMs(nowMs: number): number {
    if (this.#probes.isUnderWay(nowMs)) return this.#probes.nextMs(nowMs);
    if (this.#mayPad())
      return (
        nowMs +
        (this.#paddingDebtBytes > 0 ? (this.#paddingDebtBytes * 8000) / this.#paddingBps + roundingMs : paddingStepMs)
      );
    if (this.#queuedBytes === 0) return Infinity;
    if (this.#windowBlocks(nowMs)) return this.#lastSentMs + keepAliveMs;
    return nowMs + (this.#debtBytes * 8000) / this.#rate(nowMs);
  }

  /**
   * True if the congestion window holds back the queue. False while a retransmission waits, because the window never
   * holds back retransmissions.
   */
  #windowBlocks(nowMs: number): boolean {
    return (
      this.#retransmissions.length === 0 &&
      this.#inFlightBytes >= this.#windowBytes &&
      nowMs < this.#lastSentMs + keepAliveMs
    );
  }
}
