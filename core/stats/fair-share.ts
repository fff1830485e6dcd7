/** Measures of fairness for a shared resource: Jain's index, max-min fair shares, and harm. */

/**
 * Returns Jain's index: 1 if all n rates are equal, 1/n if one of them has everything (Jain, Chiu, Hawe, 1984). Null if
 * all rates are 0.
 */
export function jainIndex(...rates: number[]): number | null {
  const squares = rates.reduce((sum, rate) => sum + rate * rate, 0);
  return squares === 0 ? null : rates.reduce((sum, rate) => sum + rate, 0) ** 2 / (rates.length * squares);
}

/**
 * Returns the max-min fair shares of a capacity by water-filling (Bertsekas and Gallager, "Data Networks", section
 * 6.5.2). All shares are equal, but no share exceeds its demand; the capacity that this leaves goes to the other
 * shares. A demand of Infinity is unlimited.
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
 * Returns the harm to an application by its competitors (Ware, Mukerjee, Seshan, Sherry: "Beyond Jain's Fairness
 * Index", HotNets 2019): the share of its performance that it loses. `alone`: its performance without competitors.
 * `beside`: its performance with them. 0: no loss. 1: total loss. Negative: it performs better with competitors. If
 * lower values are better, harm is (beside - alone) / beside. Null for a division by 0.
 */
export function harm(alone: number, beside: number, better: 'higher' | 'lower'): number | null {
  if (alone === beside) return 0;
  const [whole, rest] = better === 'higher' ? [alone, beside] : [beside, alone];
  return whole === 0 ? null : (whole - rest) / whole;
}
