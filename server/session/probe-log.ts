/**
 * What became of each probe that a controller asked for: what the pacer sent for it, what arrived, and what the
 * controller took from it.
 */
import type { Decision } from '../congestion/controller.ts';

/** probes.jsonl */
export type ProbeRecord = {
  /** When it was asked for. */
  timeMs: number;
  probe: number;
  rateBps: number;
  minPackets: number;
  minBytes: number;
  sentPackets: number;
  sentBytes: number;
  receivedPackets: number;
  receivedBytes: number;
  /** What the controller took from it, the last time where it did so several times; null where it came to nothing. */
  resultBps: number | null;
};

/** A probe may wait so long for a packet to begin with, and its packets may be told of so long after, ms. */
const settleMs = 10_000;

export class ProbeLog {
  readonly #open = new Map<number, ProbeRecord>();

  onDecision({ probes = [], probed = [] }: Pick<Decision, 'probes' | 'probed'>, timeMs: number): void {
    for (const { id, rateBps, minPackets, minBytes } of probes) {
      this.#open.set(id, {
        timeMs,
        probe: id,
        rateBps,
        minPackets,
        minBytes,
        sentPackets: 0,
        sentBytes: 0,
        receivedPackets: 0,
        receivedBytes: 0,
        resultBps: null,
      });
    }
    for (const { id, rateBps } of probed) {
      const record = this.#open.get(id);
      if (record !== undefined) record.resultBps = rateBps;
    }
  }

  onSent(probe: number, bytes: number): void {
    const record = this.#open.get(probe);
    if (record === undefined) return;
    record.sentPackets++;
    record.sentBytes += bytes;
  }

  /** To be called once for a packet. */
  onReceived(probe: number, bytes: number): void {
    const record = this.#open.get(probe);
    if (record === undefined) return;
    record.receivedPackets++;
    record.receivedBytes += bytes;
  }

  /** Those of which nothing new can come, in the order in which they were asked for. */
  take(nowMs: number): ProbeRecord[] {
    const settled = [...this.#open.values()].filter(({ timeMs }) => nowMs - timeMs >= settleMs);
    for (const { probe } of settled) this.#open.delete(probe);
    return settled;
  }
}
