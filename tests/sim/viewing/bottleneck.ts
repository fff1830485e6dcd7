/** A FIFO with a rate, outages, random loss before it, and an account of what it carried. */
import { endMs, startMs } from '../../unit/harness/support/record.ts';

export type Span = { fromMs: number; toMs: number };
export type Sender = 'server' | 'flooder';

export type DropReason = 'overflow' | 'aqm' | 'random-loss';

export type Fate = { dropped: DropReason } | { dropped: null; leftMs: number; sojournMs: number; queuePackets: number };

/** True if a moment lies in a span. */
export const isIn = ({ fromMs, toMs }: Span, ms: number): boolean => ms >= fromMs && ms < toMs;

const binMs = 100;
const fullPacketBytes = 1514;

/**
 * `fullReason`: what a packet that finds no room is said to be dropped for. `outages`: times in which it carries nothing.
 * `slow`: times in which it has another rate. `untilMs`: end of the account.
 */
export type BottleneckOptions = {
  rateBps: number;
  queueBytes: number;
  fullReason: DropReason;
  outages?: readonly Span[];
  slow?: readonly (Span & { rateBps: number })[];
  loss?: Span;
  untilMs?: number;
};

export class Bottleneck {
  readonly #options: BottleneckOptions;
  /** Packets in the order of leaving, number of those that left, and bytes of the others. */
  readonly #packets: { leftMs: number; bytes: number }[] = [];
  #gone = 0;
  #waitingBytes = 0;
  #freeMs = 0;
  readonly #bins: Record<Sender, number[]>;

  constructor(options: BottleneckOptions) {
    this.#options = options;
    const empty = () => new Array<number>(((options.untilMs ?? endMs) - startMs) / binMs).fill(0);
    this.#bins = { server: empty(), flooder: empty() };
  }

  get queuePackets(): number {
    return this.#packets.length - this.#gone;
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
        application: { server: 'service', flooder: 'flood' }[sender],
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
    const { rateBps, queueBytes, fullReason, outages = [], slow = [], loss } = this.#options;
    if (sender === 'server' && loss !== undefined && isIn(loss, nowMs)) return { dropped: 'random-loss' };
    while (this.#gone < this.#packets.length && this.#packets[this.#gone]!.leftMs <= nowMs)
      this.#waitingBytes -= this.#packets[this.#gone++]!.bytes;
    if (this.#waitingBytes + bytes > queueBytes) return { dropped: fullReason };
    const { queuePackets } = this;
    const freeMs = Math.max(nowMs, this.#freeMs);
    const beginMs = outages.find(outage => isIn(outage, freeMs))?.toMs ?? freeMs;
    const slowly = slow.find(span => isIn(span, beginMs));
    let leftMs = beginMs + (bytes * 8000) / (slowly?.rateBps ?? rateBps);
    // what is left of the packet when the rate is the usual one again goes at that rate
    if (slowly !== undefined && leftMs > slowly.toMs)
      leftMs = slowly.toMs + ((leftMs - slowly.toMs) * slowly.rateBps) / rateBps;
    for (const { fromMs, toMs } of outages) if (beginMs < fromMs && leftMs > fromMs) leftMs += toMs - fromMs;
    this.#freeMs = leftMs;
    this.#packets.push({ leftMs, bytes });
    this.#waitingBytes += bytes;
    const bin = Math.floor((leftMs - startMs) / binMs);
    if (bin in this.#bins[sender]) this.#bins[sender][bin]! += bytes;
    return { dropped: null, leftMs, sojournMs: leftMs - nowMs, queuePackets };
  }
}
