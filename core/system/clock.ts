/**
 * The one clock of a run: milliseconds since the Unix epoch, from the monotonic clock.
 *
 * `performance.timeOrigin + performance.now()` never steps, unlike `Date.now()`. Each process fixes its
 * own origin when it starts, so two processes differ by what the wall clock was corrected between
 * their starts; the harness measures that offset for every process it reads times from
 * (`ClockOffset`) and moves their times onto its own clock.
 */
export function nowMs(): number {
  return performance.timeOrigin + performance.now();
}

/** What time it is, and what is to happen later: of this machine, or of a test that does not wait. */
export interface Clock {
  nowMs(): number;
  /** Calls `then` once, `ms` from now. Returns what prevents that. */
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
  /** Half the shortest round trip: the offset is right to within this. */
  uncertaintyMs: number;
};

/**
 * Measures a clock by asking for its time `rounds` times and keeping the answer that came back fastest
 * (Cristian, "Probabilistic clock synchronization", 1989). One question after another: of questions asked at once, the
 * later answers wait for the earlier ones, and the rounds would be one.
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
