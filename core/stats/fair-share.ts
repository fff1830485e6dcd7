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
 * Returns the max-min fair shares of a capacity: all shares are equal, but no share exceeds its demand; the capacity
 * that this leaves goes to the other shares. A demand of Infinity is unlimited.
 */
export const maxMinParts = (capacity: number, demands: readonly number[]): number[] =>
  maxMinShares([{ capacity, users: demands.map((_, k) => k) }], demands);

/**
 * Returns the max-min fair shares of several capacities by water-filling (Bertsekas and Gallager, "Data Networks",
 * section 6.5.2). `users`: positions in `demands` of those that use a capacity; one may use several. All shares grow
 * together; each stops at its demand, or when a capacity that it uses is taken.
 */
export function maxMinShares(
  capacities: readonly { capacity: number; users: readonly number[] }[],
  demands: readonly number[],
): number[] {
  const shares = [...demands];
  const growing = new Set(demands.keys());
  const left = capacities.map(({ capacity, users }) => ({ capacity, users: new Set(users) }));
  while (growing.size > 0) {
    const full = left.filter(({ users }) => users.size > 0);
    const levels = full.map(({ capacity, users }) => capacity / users.size);
    const level = Math.min(...levels, ...[...growing].map(k => demands[k]!));
    const atDemand = [...growing].filter(k => demands[k]! <= level);
    const stopped =
      atDemand.length > 0 ? atDemand : full.flatMap(({ users }, k) => (levels[k] === level ? [...users] : []));
    for (const k of new Set(stopped)) {
      shares[k] = level;
      growing.delete(k);
      for (const one of full) if (one.users.delete(k)) one.capacity -= level;
    }
  }
  return shares;
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
