/**
 * The result of a probe cluster: the rate at which it was sent and at which it arrived.
 *
 * Source: libwebrtc 2026-08, goog_cc/probe_bitrate_estimator.cc.
 */
import type { Probe } from '../controller.ts';

/** Share of a cluster's packets and bytes that must have arrived (kMinReceivedProbesRatio, kMinReceivedBytesRatio). */
const minReceivedRatio = 0.8;
/** A cluster that arrived faster than this multiple of its sending rate is not believed (kMaxValidRatio). */
const maxSpeedUp = 2;
/** One that arrived slower than this share of it has found the link's rate (kMinRatioForUnsaturatedLink) ... */
const unsaturatedRatio = 0.9;
/** ... of which this share is taken (kTargetUtilizationFraction). */
const utilisation = 0.95;
/** Longest time between a cluster's first and last packet, at either end (kMaxProbeInterval), ms. */
const maxSpanMs = 1000;
/** A cluster is forgotten so long after its last arrival (kMaxClusterHistory), ms. */
const historyMs = 1000;
/** Announced clusters that are remembered; the pacer keeps at most five waiting. */
const maxAnnounced = 32;

type ProbePacket = { probe: number; sentMs: number; receivedMs: number; sizeBytes: number };

type Cluster = {
  packets: number;
  bytes: number;
  firstSentMs: number;
  lastSentMs: number;
  lastSentBytes: number;
  firstReceivedMs: number;
  firstReceivedBytes: number;
  lastReceivedMs: number;
};

export class ProbeEstimator {
  readonly #announced = new Map<number, Probe>();
  readonly #clusters = new Map<number, Cluster>();

  announce(probe: Probe): void {
    this.#announced.set(probe.id, probe);
    if (this.#announced.size <= maxAnnounced) return;
    const [oldest] = this.#announced.keys();
    this.#announced.delete(oldest!);
  }

  /** Takes a probe packet, in order of arrival. Returns the rate, bit/s, once the cluster has enough. */
  add({ probe: id, sentMs, receivedMs, sizeBytes }: ProbePacket): number | undefined {
    for (const [old, { lastReceivedMs }] of this.#clusters)
      if (lastReceivedMs + historyMs < receivedMs) this.#clusters.delete(old);
    const probe = this.#announced.get(id);
    if (probe === undefined) return undefined;
    const cluster = this.#clusters.get(id) ?? {
      packets: 0,
      bytes: 0,
      firstSentMs: Infinity,
      lastSentMs: -Infinity,
      lastSentBytes: 0,
      firstReceivedMs: Infinity,
      firstReceivedBytes: 0,
      lastReceivedMs: -Infinity,
    };
    this.#clusters.set(id, cluster);
    cluster.packets++;
    cluster.bytes += sizeBytes;
    cluster.firstSentMs = Math.min(cluster.firstSentMs, sentMs);
    if (sentMs > cluster.lastSentMs) {
      cluster.lastSentMs = sentMs;
      cluster.lastSentBytes = sizeBytes;
    }
    if (receivedMs < cluster.firstReceivedMs) {
      cluster.firstReceivedMs = receivedMs;
      cluster.firstReceivedBytes = sizeBytes;
    }
    cluster.lastReceivedMs = Math.max(cluster.lastReceivedMs, receivedMs);
    if (
      cluster.packets < Math.floor(probe.minPackets * minReceivedRatio) ||
      cluster.bytes < probe.minBytes * minReceivedRatio
    )
      return undefined;
    return clusterRate(cluster);
  }
}

/** The last packet's bytes left after the sending span, the first one's arrived before the receiving span. */
function clusterRate(cluster: Cluster): number | undefined {
  const sendMs = cluster.lastSentMs - cluster.firstSentMs;
  const receiveMs = cluster.lastReceivedMs - cluster.firstReceivedMs;
  if (sendMs <= 0 || sendMs > maxSpanMs || receiveMs <= 0 || receiveMs > maxSpanMs) return undefined;
  const sendBps = ((cluster.bytes - cluster.lastSentBytes) * 8000) / sendMs;
  const receiveBps = ((cluster.bytes - cluster.firstReceivedBytes) * 8000) / receiveMs;
  if (receiveBps > maxSpeedUp * sendBps) return undefined;
  return receiveBps < unsaturatedRatio * sendBps ? utilisation * receiveBps : Math.min(sendBps, receiveBps);
}
