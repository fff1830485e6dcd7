/**
 * Computes the result of a probe cluster from the cluster's send rate and receive rate.
 *
 * Source: libwebrtc 2026-08, goog_cc/probe_bitrate_estimator.cc.
 */
import type { Probe } from '../controller.ts';

/**
 * Share of a cluster's packets (and of its bytes) that must have arrived (kMinReceivedProbesRatio,
 * kMinReceivedBytesRatio).
 */
const minReceivedRatio = 0.8;
/** Largest valid ratio of receive rate to send rate. A cluster with a larger ratio gives no result (kMaxValidRatio). */
const maxSpeedUp = 2;
/** Ratio of receive rate to send rate below which the link has limited the cluster (kMinRatioForUnsaturatedLink). */
const unsaturatedRatio = 0.9;
/** Share of the receive rate that is the result if the link has limited the cluster (kTargetUtilizationFraction). */
const utilisation = 0.95;
/**
 * Longest time between the first and the last packet of a cluster, at the sender or at the receiver
 * (kMaxProbeInterval), ms.
 */
const maxSpanMs = 1000;
/** Time after the last arrival of a cluster's packets, ms; the cluster is then forgotten (kMaxClusterHistory). */
const historyMs = 1000;
/** Largest number of announced probes that are remembered. The pacer has at most five clusters waiting. */
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
   * Takes a probe packet, in order of arrival. Returns the cluster's result in bit/s; undefined if the cluster has too
   * few packets or no valid rate.
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
 * Returns the result of a cluster, bit/s; undefined if the cluster is invalid. The send rate leaves out the last
 * packet, whose bytes left after the send time ended. The receive rate leaves out the first packet, whose bytes arrived
 * before the receive time began.
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
