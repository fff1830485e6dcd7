/**
 * Seeded random numbers: splitmix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA
 * 2014). The kernel part (shaper/native/loss.bpf.c) uses the same generator for packet losses, so this module can
 * predict the kernel's drops.
 */

/** Increment of the generator's state for each number. */
const golden = 0x9e3779b97f4a7c15n;
const [goldenHigh, goldenLow] = halves(golden);
const [firstHigh, firstLow] = halves(0xbf58476d1ce4e5b9n);
const [secondHigh, secondLow] = halves(0x94d049bb133111ebn);

/** Returns the high and the low half of the low 64 bits. */
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
 * Mixing function of splitmix64, in place, on a pair of 32-bit halves, the high half first. Simulations draw millions
 * of numbers, and BigInt is many times slower.
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

/** Mixing function of splitmix64: 64 bits in, 64 well-mixed bits out. */
export function mix64(value: bigint): bigint {
  const pair = Uint32Array.of(...halves(value));
  mix(pair);
  return (BigInt(pair[0]!) << 32n) | BigInt(pair[1]!);
}

/** Returns the k-th output (k = 0, 1, ...) of the splitmix64 generator that starts from `seed`. */
export function splitmix64(seed: bigint, k: bigint): bigint {
  return mix64(seed + (k + 1n) * golden);
}

/** Derives the seed of a named part of a trial from the study's seed. Different parts have unrelated streams. */
export function deriveSeed(seed: number, ...parts: (string | number)[]): number {
  let state = mix64(BigInt(seed) + golden);
  for (const part of parts) for (const byte of Buffer.from(`${part}\0`)) state = mix64(state ^ BigInt(byte));
  return Number(state >> 11n);
}

export type Random = { /** Uniform in [0, 1). */ next(): number };

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
