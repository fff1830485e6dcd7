/** A FIFO with a rate, an outage, random loss before it, and an account of what it carried. */
import { endMs, startMs } from '../../unit/harness/support/record.ts';

export type Span = { fromMs: number; toMs: number };
export type Sender = 'server' | 'flooder';

export type DropReason = 'overflow' | 'aqm' | 'random-loss';

export type Fate = { dropped: DropReason } | { dropped: null; leftMs: number; sojournMs: number; queuePackets: number };

const binMs = 100;
const fullPacketBytes = 1514;

/** `fullReason`: what a packet that finds no room is said to be dropped for. */
export type BottleneckOptions = {
  rateBps: number;
  queueBytes: number;
  fullReason: DropReason;
  outage: Span;
  loss: Span;
};

export class Bottleneck {
  readonly #options: BottleneckOptions;
  #waiting: { leftMs: number; bytes: number }[] = [];
  #freeMs = 0;
  readonly #bins: Record<Sender, number[]>;

  constructor(options: BottleneckOptions) {
    this.#options = options;
    const empty = () => new Array<number>((endMs - startMs) / binMs).fill(0);
    this.#bins = { server: empty(), flooder: empty() };
  }

  get queuePackets(): number {
    return this.#waiting.length;
  }

  /** Takes bytes as full packets and a rest; the fate of the last one. */
  offer(sender: Sender, bytes: number, nowMs: number): Fate {
    let fate = this.#take(sender, Math.min(bytes, fullPacketBytes), nowMs);
    for (let rest = bytes - fullPacketBytes; rest > 0; rest -= fullPacketBytes)
      fate = this.#take(sender, Math.min(rest, fullPacketBytes), nowMs);
    return fate;
  }

  /** Lines of queue-delay.jsonl. */
  bins(): object[] {
    return (['server', 'flooder'] as const).flatMap(sender =>
      this.#bins[sender].map((sentBytes, i) => ({
        sender,
        source: sender,
        protocol: 17,
        timeMs: startMs + (i + 0.5) * binMs,
        sentPackets: 0,
        sentBytes,
        markedPackets: 0,
        droppedPackets: { overflow: 0, 'random-loss': 0, aqm: 0, other: 0 },
        delayMedianMs: null,
        delayMaxMs: null,
      })),
    );
  }

  #take(sender: Sender, bytes: number, nowMs: number): Fate {
    const { rateBps, queueBytes, fullReason, outage, loss } = this.#options;
    if (sender === 'server' && nowMs >= loss.fromMs && nowMs < loss.toMs) return { dropped: 'random-loss' };
    this.#waiting = this.#waiting.filter(({ leftMs }) => leftMs > nowMs);
    if (this.#waiting.reduce((sum, packet) => sum + packet.bytes, bytes) > queueBytes) return { dropped: fullReason };
    const queuePackets = this.#waiting.length;
    let beginMs = Math.max(nowMs, this.#freeMs);
    if (beginMs >= outage.fromMs && beginMs < outage.toMs) beginMs = outage.toMs;
    let leftMs = beginMs + (bytes * 8000) / rateBps;
    if (beginMs < outage.fromMs && leftMs > outage.fromMs) leftMs += outage.toMs - outage.fromMs;
    this.#freeMs = leftMs;
    this.#waiting.push({ leftMs, bytes });
    const bin = Math.floor((leftMs - startMs) / binMs);
    if (bin in this.#bins[sender]) this.#bins[sender][bin]! += bytes;
    return { dropped: null, leftMs, sojournMs: leftMs - nowMs, queuePackets };
  }
}
