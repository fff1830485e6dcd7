/** A pacer in virtual time: calls it at the times that it returns, and records the packets that leave. */
import assert from 'node:assert/strict';
import type { PacketKind } from '../../../../core/vocabulary/packet-kind.ts';
import { type PacedPacket, Pacer } from '../../../../server/pacing/pacer.ts';

export type Left = {
  timeMs: number;
  sizeBytes: number;
  kind: PacketKind;
  probe: number | undefined;
};

export const packetBytes = 1200;
/** Size of a padding packet on the wire. */
export const paddingBytes = 284;
/** Longest burst of a pacer by default, ms. */
export const burstMs = 40;

export class Wire {
  nowMs = 0;
  readonly left: Left[] = [];
  /** Number of calls of the pacer. */
  calls = 0;
  readonly pacer: Pacer<PacedPacket>;
  onLeft: (left: Left) => void = () => {};
  canPad = true;

  constructor(pacingBps: number) {
    this.pacer = new Pacer(pacingBps, {
      send: ({ sizeBytes, kind }, timeMs, probe) => this.#leave({ timeMs, sizeBytes, kind, probe }),
      sendPadding: (bytes, timeMs, probe) => {
        let sent = 0;
        while (this.canPad && sent < bytes) {
          this.#leave({ timeMs, sizeBytes: paddingBytes, kind: 'padding', probe });
          sent += paddingBytes;
        }
        return sent;
      },
    });
  }

  enqueue(count: number, kind: PacedPacket['kind'] = 'media', sizeBytes = packetBytes): void {
    this.pacer.enqueue(Array.from({ length: count }, () => ({ kind, sizeBytes, queuedMs: this.nowMs })));
  }

  /** Runs until `untilMs`. `timerMs`: timers fire at multiples of it. `events` run at their times. */
  run(
    untilMs: number,
    { timerMs = 0, events = [] }: { timerMs?: number; events?: { atMs: number; do(): void }[] } = {},
  ): this {
    const waiting = [...events].sort((a, b) => a.atMs - b.atMs);
    for (let callsNow = 0; ; ) {
      this.calls++;
      const dueMs = this.pacer.process(this.nowMs);
      assert.ok(dueMs >= this.nowMs, `asks for ${dueMs} at ${this.nowMs}`);
      const timer = timerMs === 0 ? dueMs : Math.ceil(dueMs / timerMs) * timerMs;
      const next = Math.min(timer, waiting[0]?.atMs ?? Infinity);
      callsNow = next === this.nowMs ? callsNow + 1 : 0;
      assert.ok(callsNow < 10, `asks again and again for ${this.nowMs}`);
      if (next > untilMs) {
        this.nowMs = untilMs;
        return this;
      }
      this.nowMs = next;
      while (waiting[0]?.atMs === next) waiting.shift()!.do();
    }
  }

  bytes(select: (left: Left) => boolean = () => true): number {
    return this.left.filter(select).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  }

  #leave(left: Left): void {
    this.left.push(left);
    this.onLeft(left);
  }
}

/** Returns events at regular intervals. */
export function every(stepMs: number, fromMs: number, toMs: number, act: () => void): { atMs: number; do(): void }[] {
  return Array.from({ length: Math.ceil((toMs - fromMs) / stepMs) }, (_, i) => ({
    atMs: fromMs + i * stepMs,
    do: act,
  }));
}
