/**
 * Records the outcome of each probe that a controller requests: packets sent and received, and the controller's result.
 */
import type { Decision } from '../congestion/controller.ts';

/** Record of one probe: a line of probes.jsonl. */
export type ProbeRecord = {
  /** Time at which the controller requested the probe. */
  timeMs: number;
  probe: number;
  rateBps: number;
  minPackets: number;
  minBytes: number;
  sentPackets: number;
  sentBytes: number;
  receivedPackets: number;
  receivedBytes: number;
  /** Last result that the controller gave for this probe, bit/s; null if it gave none. */
  resultBps: number | null;
};

/**
 * Time after the request at which a probe's record is complete, ms: longer than a probe waits for its first packet and
 * for its feedback.
 */
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

  /** Adds a received packet of a probe. Called once per packet. */
  onReceived(probe: number, bytes: number): void {
    const record = this.#open.get(probe);
    if (record === undefined) return;
    record.receivedPackets++;
    record.receivedBytes += bytes;
  }

  /** Returns the complete records in the order in which the probes were requested, and forgets these records. */
  take(nowMs: number): ProbeRecord[] {
    const settled = [...this.#open.values()].filter(({ timeMs }) => nowMs - timeMs >= settleMs);
    for (const { probe } of settled) this.#open.delete(probe);
    return settled;
  }
}
