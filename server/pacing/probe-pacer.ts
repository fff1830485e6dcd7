/**
 * Sends probe clusters: bursts at a given rate, in steps of at least 2 ms, counted in packets and bytes (libwebrtc
 * 2026-08 modules/pacing/bitrate_prober.cc). A cluster starts with the next packet in the queue.
 */
import type { Probe } from '../congestion/controller.ts';

/** Shortest time between two steps of a cluster, ms. */
const stepMs = 2;
/** Lateness of a step after which its cluster is given up, ms. */
const maxLatenessMs = 10;
/** Time without a first packet after which a cluster is given up, ms. */
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

  /** Returns the probe whose next step is due and the bytes of this step; undefined if no step is due. */
  due(nowMs: number, havePackets: boolean): { probe: Probe; stepBytes: number } | undefined {
    const cluster = this.#current(nowMs);
    if (cluster === undefined || (cluster.startMs === undefined && !havePackets) || this.#nextMs(cluster) > nowMs)
      return undefined;
    return { probe: cluster.probe, stepBytes: Math.max(1, (cluster.probe.rateBps / 8000) * stepMs) };
  }

  /** Time of the next step; Infinity if no cluster has started. */
  nextMs(nowMs: number): number {
    const cluster = this.#current(nowMs);
    return cluster === undefined || cluster.startMs === undefined ? Infinity : this.#nextMs(cluster);
  }

  /** True between the first packet of a cluster and its last. */
  isUnderWay(nowMs: number): boolean {
    return this.nextMs(nowMs) < Infinity;
  }

  /** True while the probe with this id has more to send. */
  isOpen(id: number): boolean {
    return this.#clusters[0]?.probe.id === id;
  }

  /** Gives up the current cluster because there is nothing to send. */
  abandon(): void {
    this.#clusters.shift();
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
