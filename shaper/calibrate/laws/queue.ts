/**
 * A bottleneck under a drop law, in virtual time, for probes of one size that cannot be marked.
 *
 * It computes the expected behaviour of a discipline. The disciplines themselves are in the kernel and in
 * shaper/emulator/native/core. A test compares these laws with the emulator's disciplines, packet by packet.
 */
import type { DropLaw } from '../../../core/vocabulary/drop-law.ts';
import { CoDel } from './codel.ts';
import { DualPi2 } from './dualpi2.ts';
import type { Head, Law, Waiting } from './law.ts';
import { Pie } from './pie.ts';

type ProbeSize = {
  /** Serialisation time of a packet at the bottleneck, ms. */
  slotMs: number;
  /** Bytes that the bottleneck counts for a probe (`countedBytes`), and for a full packet. */
  countedBytes: number;
  largestBytes: number;
};

type Drop = { index: number; timeMs: number };
export type Outcome = {
  drops: Drop[];
  /**
   * Waiting time of each packet that was sent, ms, in the order of departure. `index`: the packet's place in `sendsMs`.
   */
  waitsMs: { index: number; waitedMs: number }[];
  danger: number;
};

const tail = (): Law => ({ dropsArrival: () => false, leave: (_, head) => head.take() !== undefined, danger: 0 });

function lawOf(law: DropLaw, { largestBytes }: ProbeSize): Law {
  if (law.kind === 'codel') return new CoDel(law);
  if (law.kind === 'pie') return new Pie(law, largestBytes);
  if (law.kind === 'dualpi2') return new DualPi2(law);
  return tail();
}

/**
 * Returns what `dropLaw` does with packets that arrive at the times `sendsMs`, in ascending order. The queue has no
 * limit.
 */
export function underLaw(dropLaw: DropLaw, size: ProbeSize, sendsMs: readonly number[]): Outcome {
  const law = lawOf(dropLaw, size);
  const queue: number[] = [];
  let first = 0;
  const drops: Drop[] = [];
  const waitsMs: Outcome['waitsMs'] = [];
  /** Time at which the packet in service departs, ms; null while the link is idle. */
  let busyUntilMs: number | null = null;
  const waiting = (): Waiting => ({
    packets: queue.length - first,
    bytes: (queue.length - first) * size.countedBytes,
  });

  const serve = (nowMs: number) => {
    let taken: number | undefined;
    const head: Head = {
      take: () => {
        if (first === queue.length) return undefined;
        taken = queue[first++]!;
        return { waitedMs: nowMs - sendsMs[taken]!, behindBytes: waiting().bytes };
      },
      drop: () => void drops.push({ index: taken!, timeMs: nowMs }),
    };
    const sends = law.leave(nowMs, head, waiting());
    busyUntilMs = sends ? nowMs + size.slotMs : null;
    if (sends) waitsMs.push({ index: taken!, waitedMs: nowMs - sendsMs[taken!]! });
  };
  const serveUntil = (nowMs: number) => {
    while (busyUntilMs !== null && busyUntilMs <= nowMs) serve(busyUntilMs);
  };

  for (const [index, nowMs] of sendsMs.entries()) {
    serveUntil(nowMs);
    if (law.dropsArrival(nowMs, waiting())) {
      drops.push({ index, timeMs: nowMs });
      continue;
    }
    queue.push(index);
    if (busyUntilMs === null) serve(nowMs);
  }
  serveUntil(Infinity);
  return { drops, waitsMs, danger: law.danger };
}
