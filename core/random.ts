/**
 * Seeded random numbers: splitmix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA
 * 2014). The BPF program shaper/native/loss.bpf.c decides packet losses with the same generator, so this module can
 * predict the packets that the kernel drops.
 */

/** Number that the generator adds to its state for each output. */
const golden = 0x9e3779b97f4a7c15n;
const [goldenHigh, goldenLow] = halves(golden);
const [firstHigh, firstLow] = halves(0xbf58476d1ce4e5b9n);
const [secondHigh, secondLow] = halves(0x94d049bb133111ebn);

/** Returns the high and the low 32 bits of the low 64 bits of `value`. */
function halves(value: bigint): [high: number, low: number] {
  return [Number(BigInt.asUintN(32, value >> 32n)), Number(BigInt.asUintN(32, value))];
}

/** Returns the high 32 bits of the product of two 32-bit numbers, computed by 16-bit halves. */
function highProduct(a: number, b: number): number {
  const [a1, a0, b1, b0] = [a >>> 16, a & 0xffff, b >>> 16, b & 0xffff];
  const middle = a1 * b0 + ((a0 * b0) >>> 16);
  return a1 * b1 + (middle >>> 16) + ((a0 * b1 + (middle & 0xffff)) >>> 16);
}

/**
 * Applies the mixing function of splitmix64 to `pair`, in place: two 32-bit halves, the high half first. It does not
 * use BigInt, which is many times slower, because simulations draw millions of numbers.
 */
function mix(pair: Uint32Array): void {
  let high = pair[0]!;
  let low = pair[1]!;
  low ^= (high << 2) | (low >>> 30);
  high ^= high >>> 30;
  high = highProduct(low >>> 0, firstLow) + Math.imul(high, firstLow) + Math.imul(low, firstHigh);
  low = Math.imul(low, firstLow);
  low ^= (high << 5) | (low >>> 27);
  high ^= high >>> 27;
  high = highProduct(low >>> 0, secondLow) + Math.imul(high, secondLow) + Math.imul(low, secondHigh);
  low = Math.imul(low, secondLow);
  pair[1] = low ^ ((high << 1) | (low >>> 31));
  pair[0] = high ^ (high >>> 31);
}

/** Returns 64 well-mixed bits for 64 bits, by the mixing function of splitmix64. */
export function mix64(value: bigint): bigint {
  const pair = Uint32Array.of(...halves(value));
  mix(pair);
  return (BigInt(pair[0]!) << 32n) | BigInt(pair[1]!);
}

/** Returns the k-th output (k = 0, 1, ...) of the splitmix64 generator that starts from `seed`. */
export function splitmix64(seed: bigint, k: bigint): bigint {
  return mix64(seed + (k + 1n) * golden);
}

/**
 * Returns the seed of a named part of a trial, derived from the study's seed. Different parts have unrelated random
 * streams.
 */
export function deriveSeed(seed: number, ...parts: (string | number)[]): number {
  let state = mix64(BigInt(seed) + golden);
  for (const part of parts) for (const byte of Buffer.from(`${part}\0`)) state = mix64(state ^ BigInt(byte));
  return Number(state >> 11n);
}

export type Random = { /** // uniform in [0, 1) */ next(): number };

export function seededRandom(seed: number): Random {
  let [high, low] = halves(BigInt(seed));
  const pair = new Uint32Array(2);
  return {
    next() {
      low += goldenLow;
      high = (high + goldenHigh + (low > 0xffffffff ? 1 : 0)) >>> 0;
      low >>>= 0;
      pair[0] = high;
      pair[1] = low;
      mix(pair);
      return (pair[0]! * 2 ** 21 + (pair[1]! >>> 11)) / 2 ** 53;
    },
  };
}
