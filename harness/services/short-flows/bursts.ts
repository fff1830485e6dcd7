/** Random bursts of short flows (RFC 8868, section 5.1): how long a source pauses, and what it then fetches. */
import { deriveSeed, seededRandom } from '../../../core/random.ts';

export type BurstOptions = {
  connections: number;
  minBytes: number;
  maxBytes: number;
  /** Mean of the pauses, ms. */
  idleMs: number;
};

/** Pause before the burst, ms, and the size of the file that each of its connections fetches, bytes. */
type Burst = { pauseMs: number; sizes: number[] };

/**
 * Yields the bursts of a source without end. Sizes are uniform, pauses exponential. `seed`: of the application; each
 * source has random numbers of its own. `isOn`: the first burst has no pause before it.
 */
export function* burstsOf(
  { connections, minBytes, maxBytes, idleMs }: BurstOptions,
  seed: number,
  source: number,
  isOn: boolean,
): Generator<Burst, never> {
  const random = seededRandom(deriveSeed(seed, 'short-flows', source));
  for (let isFirst = true; ; isFirst = false) {
    const pauseMs = -idleMs * Math.log(1 - random.next());
    yield {
      pauseMs: isFirst && isOn ? 0 : pauseMs,
      sizes: Array.from(
        { length: connections },
        () => minBytes + Math.floor(random.next() * (maxBytes - minBytes + 1)),
      ),
    };
  }
}
