/**
 * Result of a probe cluster, from its send rate and its receive rate.
 *
 * Source: libwebrtc 2026-08, goog_cc/probe_bitrate_estimator.cc.
 */
import type { Probe } from '../controller.ts';

/** Share of a cluster's packets and bytes that must have arrived (kMinReceivedProbesRatio, kMinReceivedBytesRatio). */
const minReceivedRatio = 0.8;
/** Largest valid ratio of receive rate to send rate; a faster cluster has no result (kMaxValidRatio). */
const maxSpeedUp = 2;
/**
 * Ratio of receive rate to send rate below which the cluster has found the link's rate (kMinRatioForUnsaturatedLink).
 */
const unsaturatedRatio = 0.9;
/** Share of the link's rate that is then the result (kTargetUtilizationFraction). */
const utilisation = 0.95;
/** Longest time between a cluster's first and last packet, at sender or receiver (kMaxProbeInterval), ms. */
const maxSpanMs = 1000;
/** Time after its last arrival at which a cluster is forgotten (kMaxClusterHistory), ms. */
const historyMs = 1000;
/** Number of remembered announcements; the pacer keeps at most five clusters waiting. */
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

  /**
   * Takes a probe packet, in order of arrival. Returns the result in bit/s; undefined if the cluster has too few
   * packets or no valid result.
   */
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

/**
 * Returns the rate of a cluster, bit/s. The last packet's bytes left after the send time ended, and the first packet's
 * bytes arrived before the receive time began; they do not count there. undefined for an invalid cluster.
 */
function clusterRate(cluster: Cluster): number | undefined {
  const sendMs = cluster.lastSentMs - cluster.firstSentMs;
  const receiveMs = cluster.lastReceivedMs - cluster.firstReceivedMs;
  if (sendMs <= 0 || sendMs > maxSpanMs || receiveMs <= 0 || receiveMs > maxSpanMs) return undefined;
  const sendBps = ((cluster.bytes - cluster.lastSentBytes) * 8000) / sendMs;
  const receiveBps = ((cluster.bytes - cluster.firstReceivedBytes) * 8000) / receiveMs;
  if (receiveBps > maxSpeedUp * sendBps) return undefined;
  return receiveBps < unsaturatedRatio * sendBps ? utilisation * receiveBps : Math.min(sendBps, receiveBps);
}
