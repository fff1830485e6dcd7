/** Whether an amount that varies has grown over a long run. */
import { median } from '../../core/stats/quantile.ts';

/** What an amount may grow by without it being a leak: the larger of a share of its start and a number of its own. */
export type Tolerance = { ratio: number; amount: number };

/** First third against last third, by their medians; nothing grows in fewer than six values. */
export function growth(values: readonly number[], { ratio, amount }: Tolerance) {
  const third = Math.floor(values.length / 3);
  const [from, to] = [median(values.slice(0, third)), median(values.slice(-third))];
  if (third < 2 || from === undefined || to === undefined) return { from: values[0], to: values.at(-1), grew: false };
  return { from, to, grew: to - from > Math.max(ratio * from, amount) };
}
