/**
 * Velocity of the window. The velocity doubles with every loop after the window has moved in one direction for three
 * loops.
 *
 * Source: NSDI 2018, section 2.1. The reset of the velocity within a loop is from mvfst, the limit of one window per
 * loop from genericCC.
 */

/** Number of loops in the same direction after which the velocity doubles. */
const steadyLoops = 3;

export class Velocity {
  #value = 1;
  #direction: 'up' | 'down' | undefined;
  #sameLoops = 0;
  #start: { atMs: number; windowPackets: number } | undefined;

  /** Velocity: factor on the change of the window. */
  get value(): number {
    return this.#value;
  }

  /**
   * Called before each change of the window; `wanted` is the direction of the change. At the end of each loop, updates
   * the direction and the velocity.
   */
  update(wanted: 'up' | 'down', windowPackets: number, delta: number, nowMs: number, loopMs: number): void {
    this.#start ??= { atMs: nowMs, windowPackets };
    if (nowMs - this.#start.atMs >= loopMs) {
      this.#turn(windowPackets > this.#start.windowPackets ? 'up' : 'down');
      this.#start = { atMs: nowMs, windowPackets };
    }
    if (this.#value > 1 && wanted !== this.#direction) {
      this.#restart(wanted, 0);
      this.#start = { atMs: nowMs, windowPackets };
    }
    this.#value = Math.max(1, Math.min(this.#value, delta * windowPackets));
  }

  #turn(direction: 'up' | 'down'): void {
    if (direction !== this.#direction) return this.#restart(direction, 1);
    if (++this.#sameLoops >= steadyLoops) this.#value *= 2;
  }

  #restart(direction: 'up' | 'down', sameLoops: number): void {
    this.#value = 1;
    this.#direction = direction;
    this.#sameLoops = sameLoops;
  }
}
