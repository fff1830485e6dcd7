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

/** Source of times and timers: this machine's clock, or in tests a clock that does not wait. */
export interface Clock {
  nowMs(): number;
  /** Calls `then` once, `ms` milliseconds from now. Returns a function that cancels the call. */
  after(ms: number, then: () => void): () => void;
}

export const realClock: Clock = {
  nowMs,
  after(ms, then) {
    const timer = setTimeout(then, ms);
    return () => clearTimeout(timer);
  },
};

/** Offset of another process's clock from the harness's clock. */
export type ClockOffset = {
  /** Milliseconds to add to a time of the other process to get the time of the harness. */
  offsetMs: number;
  /** Largest possible error of the offset, ms: half the shortest round trip. */
  uncertaintyMs: number;
};

/**
 * Measures the offset of a clock: calls `ask` for the clock's time `rounds` times and uses the fastest answer
 * (Cristian, "Probabilistic clock synchronization", 1989). Each call waits for the previous answer. Simultaneous calls
 * would delay each other's answers, and the rounds would not be independent measurements.
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
