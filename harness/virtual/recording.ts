/** Records of a simulation, and the figures that tests ask of it. Times are the sender's, in ms. */
import type { Trace } from '../../server/congestion/controller.ts';
import type { Link } from './link.ts';

/** `arrivedMs`, `queueMs`: missing for a packet that was lost or is on its way. */
export type PacketRecord = { sentMs: number; sizeBytes: number; kind: string; arrivedMs?: number; queueMs?: number };

export class Recording {
  readonly packets: PacketRecord[] = [];
  readonly targets: { atMs: number; targetBps: number }[] = [];
  /** Ten a second. */
  readonly traces: { atMs: number; trace: Trace }[] = [];
  readonly #link: Link;
  tcpBytes: number[] = [];

  constructor(link: Link) {
    this.#link = link;
  }

  /** Rate at which the sender's packets arrived, media and padding, bit/s. */
  arrivedBps(fromMs: number, toMs: number): number {
    let bytes = 0;
    for (const { arrivedMs, sizeBytes } of this.packets)
      if (arrivedMs !== undefined && arrivedMs >= fromMs && arrivedMs < toMs) bytes += sizeBytes;
    return (bytes * 8000) / (toMs - fromMs);
  }

  sentBps(fromMs: number, toMs: number): number {
    let bytes = 0;
    for (const { sentMs, sizeBytes } of this.packets) if (sentMs >= fromMs && sentMs < toMs) bytes += sizeBytes;
    return (bytes * 8000) / (toMs - fromMs);
  }

  /** The same for media alone. */
  mediaBps(fromMs: number, toMs: number): number {
    let bytes = 0;
    for (const { arrivedMs, sizeBytes, kind } of this.packets) {
      if (kind === 'media' && arrivedMs !== undefined && arrivedMs >= fromMs && arrivedMs < toMs) bytes += sizeBytes;
    }
    return (bytes * 8000) / (toMs - fromMs);
  }

  /** Share of the packets sent in that time that did not arrive; 0 where none was sent. */
  lossRatio(fromMs: number, toMs: number): number {
    let sent = 0;
    let lost = 0;
    for (const { sentMs, arrivedMs } of this.packets) {
      if (sentMs < fromMs || sentMs >= toMs) continue;
      sent++;
      if (arrivedMs === undefined) lost++;
    }
    return sent === 0 ? 0 : lost / sent;
  }

  /** Share of the link's capacity that the sender's packets used. */
  utilisation(fromMs: number, toMs: number): number {
    return (this.arrivedBps(fromMs, toMs) * (toMs - fromMs)) / 1000 / this.#link.capacityBits(fromMs, toMs);
  }

  /** Percentile of the time that the sender's packets spent in the queue, own transmission included, ms. */
  queueMs(percentile: number, fromMs: number, toMs: number): number {
    const all = new Float64Array(this.packets.length);
    let count = 0;
    for (const packet of this.packets)
      if (packet.arrivedMs !== undefined && packet.sentMs >= fromMs && packet.sentMs < toMs)
        all[count++] = packet.queueMs!;
    const delays = all.subarray(0, count).sort();
    return delays[Math.min(delays.length - 1, Math.floor((delays.length * percentile) / 100))] ?? NaN;
  }

  targetAt(atMs: number): number {
    return this.targets.findLast(target => target.atMs <= atMs)?.targetBps ?? NaN;
  }

  /** Average over time, bit/s. */
  meanTarget(fromMs: number, toMs: number): number {
    const inside = this.targets.filter(({ atMs }) => atMs > fromMs && atMs < toMs);
    let sum = 0;
    let atMs = fromMs;
    let targetBps = this.targetAt(fromMs);
    for (const next of [...inside, { atMs: toMs, targetBps: 0 }]) {
      sum += targetBps * (next.atMs - atMs);
      ({ atMs, targetBps } = next);
    }
    return sum / (toMs - fromMs);
  }

  lowestTarget(fromMs: number, toMs: number): number {
    const inside = this.targets.filter(({ atMs }) => atMs > fromMs && atMs < toMs).map(({ targetBps }) => targetBps);
    return Math.min(this.targetAt(fromMs), ...inside);
  }

  highestTarget(fromMs: number, toMs: number): number {
    const inside = this.targets.filter(({ atMs }) => atMs > fromMs && atMs < toMs).map(({ targetBps }) => targetBps);
    return Math.max(this.targetAt(fromMs), ...inside);
  }

  /** When the target first reaches a rate at or after `fromMs`; Infinity where it never does. */
  reached(rateBps: number, fromMs = 0): number {
    if (this.targetAt(fromMs) >= rateBps) return fromMs;
    return this.targets.find(({ atMs, targetBps }) => atMs >= fromMs && targetBps >= rateBps)?.atMs ?? Infinity;
  }

  /** Values of a trace field, ten a second. */
  series(name: string, fromMs: number, toMs: number): (number | string)[] {
    return this.traces.filter(({ atMs }) => atMs >= fromMs && atMs < toMs).map(({ trace }) => trace[name]!);
  }

  /** Average of a trace field that is a number; NaN without a value. */
  meanOf(name: string, fromMs: number, toMs: number): number {
    const values = this.series(name, fromMs, toMs);
    return values.reduce<number>((sum, value) => sum + Number(value), 0) / values.length;
  }
}
