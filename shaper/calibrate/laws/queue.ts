/**
 * A bottleneck under a law, in virtual time: what becomes of probes of one size that no law may mark.
 *
 * It says what is to be expected of a discipline; the disciplines themselves are in the kernel and in
 * shaper/emulator/native/core, and a test holds these laws against the latter, packet by packet.
 */
import type { DropLaw } from '../../../core/vocabulary/drop-law.ts';
import { CoDel } from './codel.ts';
import { DualPi2 } from './dualpi2.ts';
import type { Head, Law, Waiting } from './law.ts';
import { Pie } from './pie.ts';

type ProbeSize = {
  /** Time that the bottleneck needs for a packet, ms. */
  slotMs: number;
  /** What it counts, and what a full packet does. */
  countedBytes: number;
  largestBytes: number;
};

type Drop = { index: number; timeMs: number };
export type Outcome = {
  drops: Drop[];
  /** Of each packet that got through, in their order: for how long it waited before it was sent. */
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

/** `sendsMs`: when packets come, in order. The queue has no limit. */
export function underLaw(dropLaw: DropLaw, size: ProbeSize, sendsMs: readonly number[]): Outcome {
  const law = lawOf(dropLaw, size);
  const queue: number[] = [];
  let first = 0;
  const drops: Drop[] = [];
  const waitsMs: Outcome['waitsMs'] = [];
  /** When the packet that is being sent has left; null while the link is idle. */
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
