/** Reads the number of a cell of a published table, with its unit and its bracket. */

type NumberIn = { value: number | null; unit: string; low: number | null; high: number | null };

const sign = (text: string) => Number(text.replace('\u2212', '-'));
const number = '[\u2212-]?\\d+(?:\\.\\d+)?';

/**
 * Reads "7.38 Mbit/s<br>\[7.29, 7.39\]", and of two trials both values, "57.6 and 58.1 fps", as their median and range.
 * A bold value is read like any other. The value of a text is null, and so is that of a cell with further words.
 */
export function numberIn(cell: string): NumberIn {
  const plain = cell.replaceAll('**', '').replaceAll('\\', '');
  const [, first, second, ofBoth = ''] =
    new RegExp(`^\\+?(${number}) and \\+?(${number})(?: (\\S{1,8}))?(?=<br>|$)`).exec(plain) ?? [];
  if (first !== undefined && second !== undefined) {
    const [low, high] = [sign(first), sign(second)];
    return { value: (low + high) / 2, unit: ofBoth, low, high };
  }
  const [, value, unit = ''] = new RegExp(`^\\+?(${number})(?: (\\S{1,8}))?(?=<br>|$)`).exec(plain) ?? [];
  const [, low, high] = new RegExp(`\\[(${number}), (${number})\\]`).exec(plain) ?? [];
  if (value === undefined) return { value: null, unit: '', low: null, high: null };
  return {
    value: sign(value),
    unit,
    low: low === undefined ? null : sign(low),
    high: high === undefined ? null : sign(high),
  };
}
