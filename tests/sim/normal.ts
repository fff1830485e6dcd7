import type { Random } from '../../core/random.ts';

/** A standard normal number (Box and Muller, 1958). */
export const normal = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
