/** Who gets how much of what is shared: Jain's index, max-min fair parts, and harm. */

/**
 * Jain's index: 1 where all rates are equal, 1/n where one of n has everything (Jain, Chiu, Hawe, 1984); null where
 * nothing is sent.
 */
export function jainIndex(...rates: number[]): number | null {
  const squares = rates.reduce((sum, rate) => sum + rate * rate, 0);
  return squares === 0 ? null : rates.reduce((sum, rate) => sum + rate, 0) ** 2 / (rates.length * squares);
}

/**
 * Max-min fair parts of a capacity by water-filling: all get the same, but none more than it can take, and what one
 * leaves the others share (Bertsekas and Gallager, "Data Networks", section 6.5.2). Infinity is a demand without an
 * end.
 */
export function maxMinParts(capacity: number, demands: readonly number[]): number[] {
  const parts = new Array<number>(demands.length);
  let left = capacity;
  const order = demands.map((_, i) => i).sort((a, b) => demands[a]! - demands[b]!);
  for (const [k, i] of order.entries()) {
    parts[i] = Math.min(demands[i]!, left / (demands.length - k));
    left -= parts[i];
  }
  return parts;
}

/**
 * Harm (Ware, Mukerjee, Seshan, Sherry: "Beyond Jain's Fairness Index", HotNets 2019): the part of its performance
 * alone that something loses beside others. 0 is none, 1 is all of it, below 0 it fares better beside them. Where less
 * is better it is (with - alone) / with. Null where that divides by 0.
 */
export function harm(alone: number, beside: number, better: 'higher' | 'lower'): number | null {
  if (alone === beside) return 0;
  const [whole, rest] = better === 'higher' ? [alone, beside] : [beside, alone];
  return whole === 0 ? null : (whole - rest) / whole;
}
