/**
 * A sender's pacer for simulations: pacing rate, padding, probes, congestion window.
 *
 * Written from libwebrtc 2026-08 modules/pacing (pacing_controller.cc, bitrate_prober.cc): debts that
 * drain at the rates, bursts, probes in steps of 2 ms. It keeps to the pacing rate even
 * when its queue grows long; the encoder has to pause instead.
 */
import type { Decision, Probe, SentPacket } from '../../server/congestion/controller.ts';

export type Outgoing = { sizeBytes: number; kind: SentPacket['kind']; probe?: number };

/** Debt never counts for more than this, ms. */
const maxDebtMs = 500;
/** Padding leaves in pieces worth this, ms. */
const paddingStepMs = 5;
/** Largest padding packet, bytes. */
const maxPaddingBytes = 1200;
/** A probe's first packet is padding of this size, so that its sending time is the probe's start; bytes. */
const probeMarkBytes = 60;
/** A probe is sent in steps of this, ms. */
const probeStepMs = 2;
/** A media packet of at least this starts a probe, bytes. */
const probeStartBytes = 200;
/** A probe waits no longer than this for media, ms, and no more wait. */
const probeTimeoutMs = 5000;
const maxWaitingProbes = 5;
/** While the window is full, a small packet leaves so often, ms. */
const keepAliveMs = 500;

type Cluster = Probe & { askedMs: number; startedMs: number; packets: number; bytes: number };

export class Pacer {
  readonly #send: (packet: Outgoing, nowMs: number) => void;
  readonly #burstMs: number;
  #queue: number[] = [];
  #queuedBytes = 0;
  #debtBytes = 0;
  #paddingDebtBytes = 0;
  #drainedMs = 0;
  #pacingBps = 300e3;
  #paddingBps = 0;
  #windowBytes = Infinity;
  #inFlightBytes = 0;
  #clusters: Cluster[] = [];
  #isProbing = false;
  #nextProbeMs = 0;
  #lastSentMs = 0;

  /** `send` puts a packet on the wire; packets worth `burstMs` at the pacing rate may leave at once. */
  constructor(burstMs: number, send: (packet: Outgoing, nowMs: number) => void) {
    this.#burstMs = burstMs;
    this.#send = send;
  }

  get queuedBytes(): number {
    return this.#queuedBytes;
  }

  /** Time the queue needs at the pacing rate, ms. */
  get queueMs(): number {
    return this.#queuedBytes * 8000 / this.#pacingBps;
  }

  set inFlightBytes(bytes: number) {
    this.#inFlightBytes = bytes;
  }

  apply({ pacingBps, paddingBps, congestionWindowBytes, probes }: Decision, nowMs: number): void {
    this.#drain(nowMs);
    if (pacingBps !== undefined) this.#pacingBps = Math.max(pacingBps, 1);
    if (paddingBps !== undefined) this.#paddingBps = paddingBps;
    if (congestionWindowBytes !== undefined) this.#windowBytes = congestionWindowBytes;
    for (const probe of probes ?? []) {
      while (this.#clusters.length > maxWaitingProbes || (this.#clusters[0] !== undefined && nowMs - this.#clusters[0].askedMs > probeTimeoutMs)) {
        this.#clusters.shift();
      }
      this.#clusters.push({ ...probe, askedMs: nowMs, startedMs: -1, packets: 0, bytes: 0 });
    }
  }

  enqueue(sizesBytes: readonly number[], nowMs: number): void {
    for (const sizeBytes of sizesBytes) {
      this.#queue.push(sizeBytes);
      this.#queuedBytes += sizeBytes;
      const cluster = this.#clusters[0];
      if (!this.#isProbing && cluster !== undefined && sizeBytes >= Math.min(stepBytes(cluster), probeStartBytes)) {
        this.#isProbing = true;
        this.#nextProbeMs = nowMs;
      }
    }
  }

  /** Sends what may leave; returns when to call again at the latest, Infinity for "when something changes". */
  process(nowMs: number): number {
    this.#drain(nowMs);
    while (this.#isProbing) {
      if (nowMs < this.#nextProbeMs) return this.#nextProbeMs;
      this.#probeStep(this.#clusters[0]!, nowMs);
    }
    while (this.#queue.length > 0 && !this.#isWindowFull() && this.#debtMs() < this.#burstMs) this.#sendMedia(nowMs);
    if (this.#isWindowFull()) {
      if (nowMs >= this.#lastSentMs + keepAliveMs) this.#sendPadding(probeMarkBytes, nowMs);
      return this.#lastSentMs + keepAliveMs;
    }
    if (this.#queue.length > 0) return nowMs + this.#debtMs();
    return this.#paddingBps > 0 ? this.#pad(nowMs) : Infinity;
  }

  #pad(nowMs: number): number {
    if (this.#debtBytes === 0 && this.#paddingDebtBytes === 0) {
      for (let left = Math.ceil(this.#paddingBps / 8000 * paddingStepMs); left > 0; left -= maxPaddingBytes) {
        this.#sendPadding(Math.max(Math.min(left, maxPaddingBytes), probeMarkBytes), nowMs);
      }
    }
    // A microsecond more than the drain, against rounding that would leave a remainder for ever.
    return nowMs + Math.max(this.#debtMs(), this.#paddingDebtBytes * 8000 / this.#paddingBps) + 0.001;
  }

  #probeStep(cluster: Cluster, nowMs: number): void {
    if (cluster.packets === 0) {
      cluster.startedMs = nowMs;
      this.#sendPadding(probeMarkBytes, nowMs, cluster);
    }
    const untilBytes = cluster.bytes + stepBytes(cluster);
    while (cluster.bytes < untilBytes) {
      if (this.#queue.length > 0) this.#sendMedia(nowMs, cluster);
      else this.#sendPadding(Math.max(Math.min(untilBytes - cluster.bytes, maxPaddingBytes), probeMarkBytes), nowMs, cluster);
    }
    this.#nextProbeMs = cluster.startedMs + cluster.bytes * 8000 / cluster.rateBps;
    if (cluster.bytes >= cluster.minBytes && cluster.packets >= cluster.minPackets) this.#clusters.shift();
    this.#isProbing = this.#clusters.length > 0;
  }

  #sendMedia(nowMs: number, cluster?: Cluster): void {
    const sizeBytes = this.#queue.shift()!;
    this.#queuedBytes -= sizeBytes;
    this.#transmit({ sizeBytes, kind: 'media' }, nowMs, cluster);
  }

  #sendPadding(sizeBytes: number, nowMs: number, cluster?: Cluster): void {
    this.#transmit({ sizeBytes, kind: 'padding' }, nowMs, cluster);
  }

  #transmit(packet: Outgoing, nowMs: number, cluster: Cluster | undefined): void {
    this.#debtBytes += packet.sizeBytes;
    this.#paddingDebtBytes += packet.sizeBytes;
    this.#inFlightBytes += packet.sizeBytes;
    this.#lastSentMs = nowMs;
    if (cluster !== undefined) {
      cluster.packets++;
      cluster.bytes += packet.sizeBytes;
    }
    this.#send(cluster === undefined ? packet : { ...packet, probe: cluster.id }, nowMs);
  }

  #drain(nowMs: number): void {
    const elapsedMs = nowMs - this.#drainedMs;
    this.#drainedMs = nowMs;
    this.#debtBytes = drained(this.#debtBytes, this.#pacingBps, elapsedMs);
    this.#paddingDebtBytes = drained(this.#paddingDebtBytes, this.#paddingBps, elapsedMs);
  }

  #debtMs(): number {
    return this.#debtBytes * 8000 / this.#pacingBps;
  }

  #isWindowFull(): boolean {
    return this.#inFlightBytes >= this.#windowBytes;
  }
}

function stepBytes({ rateBps }: Probe): number {
  return rateBps / 8000 * probeStepMs;
}

function drained(debtBytes: number, rateBps: number, elapsedMs: number): number {
  return Math.max(0, Math.min(debtBytes, rateBps / 8000 * maxDebtMs) - rateBps / 8000 * elapsedMs);
}
