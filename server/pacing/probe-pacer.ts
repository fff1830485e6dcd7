/**
 * Sends probe clusters: bursts at a given rate, in steps that are at least 2 ms apart, until the cluster has enough
 * packets and bytes (libwebrtc 2026-08 modules/pacing/bitrate_prober.cc). A cluster starts with the next packet in the
 * queue.
 */
import type { Probe } from '../congestion/controller.ts';

/** Shortest time between two steps of a cluster, ms. */
const stepMs = 2;
/** Largest lateness of a step, ms. If a step is later than this, its cluster is given up. */
const maxLatenessMs = 10;
/** Longest wait of a cluster for its first packet, ms. After this time the cluster is given up. */
const maxWaitMs = 5000;
const maxPending = 5;

type Cluster = {
  probe: Probe;
  requestedMs: number;
  startMs: number | undefined;
  sentBytes: number;
  sentPackets: number;
};

export class ProbePacer {
  #clusters: Cluster[] = [];

  add(probe: Probe, nowMs: number): void {
    this.#clusters.push({ probe, requestedMs: nowMs, startMs: undefined, sentBytes: 0, sentPackets: 0 });
    if (this.#clusters.length > maxPending) this.#clusters.shift();
  }

  /**
   * Returns the probe whose next step is due, and the bytes of this step; undefined if no step is due. `havePackets`:
   * true if packets are in the queue.
   */
  due(nowMs: number, havePackets: boolean): { probe: Probe; stepBytes: number } | undefined {
    const cluster = this.#current(nowMs);
    if (cluster === undefined || (cluster.startMs === undefined && !havePackets) || this.#nextMs(cluster) > nowMs)
      return undefined;
    return { probe: cluster.probe, stepBytes: Math.max(1, (cluster.probe.rateBps / 8000) * stepMs) };
  }

  /** Returns the time of the next step, ms; Infinity if no cluster has started. */
  nextMs(nowMs: number): number {
    const cluster = this.#current(nowMs);
    return cluster === undefined || cluster.startMs === undefined ? Infinity : this.#nextMs(cluster);
  }

  /** True from the first packet of a cluster to its last packet. */
  isUnderWay(nowMs: number): boolean {
    return this.nextMs(nowMs) < Infinity;
  }

  /** True while the probe with this id still has packets or bytes to send. */
  isOpen(id: number): boolean {
    return this.#clusters[0]?.probe.id === id;
  }

  /** Gives up the current cluster because there is nothing to send. */
  abandon(): void {
    this.#clusters.shift();
  }

  /** Gives up all clusters. */
  clear(): void {
    this.#clusters.length = 0;
  }

  onSent(bytes: number, nowMs: number): void {
    const cluster = this.#clusters[0];
    if (cluster === undefined) return;
    cluster.startMs ??= nowMs;
    cluster.sentBytes += bytes;
    cluster.sentPackets++;
    if (cluster.sentBytes >= cluster.probe.minBytes && cluster.sentPackets >= cluster.probe.minPackets)
      this.#clusters.shift();
  }

  #nextMs(cluster: Cluster): number {
    return cluster.startMs === undefined
      ? -Infinity
      : cluster.startMs + (cluster.sentBytes * 8000) / cluster.probe.rateBps;
  }

  #current(nowMs: number): Cluster | undefined {
    for (;;) {
      const cluster = this.#clusters[0];
      if (cluster === undefined) return undefined;
      const stale =
        cluster.startMs === undefined
          ? nowMs - cluster.requestedMs > maxWaitMs
          : nowMs - this.#nextMs(cluster) > maxLatenessMs;
      if (!stale) return cluster;
      this.#clusters.shift();
    }
  }
}
