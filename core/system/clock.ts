/**
 * The one clock of a run: milliseconds since the Unix epoch, from the monotonic clock.
 *
 * `performance.timeOrigin + performance.now()` never steps, unlike `Date.now()`. Each process fixes its origin when it
 * starts, so two processes differ by the corrections of the wall clock between their starts. The harness measures that
 * offset (`ClockOffset`) for every process whose times it reads, and converts their times to its own clock.
 */
export function nowMs(): number {
  return performance.timeOrigin + performance.now();
}

/** Time and timers: of this machine, or of a test that does not wait. */
export interface Clock {
  nowMs(): number;
  /** Calls `then` once, `ms` from now. Returns a function that cancels the call. */
  after(ms: number, then: () => void): () => void;
}

export const realClock: Clock = {
  nowMs,
  after(ms, then) {
    const timer = setTimeout(then, ms);
    return () => clearTimeout(timer);
  },
};

/** Offset of another process's clock from the harness's. */
export type ClockOffset = {
  /** harness time = other time + offsetMs */
  offsetMs: number;
  /** Half the shortest round trip: the largest possible error of the offset. */
  uncertaintyMs: number;
};

/**
 * Measures a clock by asking for its time `rounds` times and keeping the fastest answer (Cristian, "Probabilistic clock
 * synchronization", 1989). The questions follow one another: with simultaneous questions, later answers would wait for
 * earlier ones, and all rounds would count as one.
 */
export async function measureClock(ask: () => Promise<number>, rounds = 8): Promise<ClockOffset> {
  let best: ClockOffset = { offsetMs: 0, uncertaintyMs: Infinity };
  for (let i = 0; i < rounds; i++) {
    const before = nowMs();
    const theirs = await ask();
    const after = nowMs();
    const uncertaintyMs = (after - before) / 2;
    if (uncertaintyMs < best.uncertaintyMs) best = { offsetMs: (before + after) / 2 - theirs, uncertaintyMs };
  }
  return best;
}
