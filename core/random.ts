/**
 * Seeded random numbers: splitmix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number
 * generators", OOPSLA 2014). The same generator decides packet losses in the kernel
 * (shaper/native/loss.bpf.c), so what the kernel will drop can be predicted here.
 */

/** What the generator adds for each number. */
const golden = 0x9e3779b97f4a7c15n;
const [goldenHigh, goldenLow] = halves(golden);
const [firstHigh, firstLow] = halves(0xbf58476d1ce4e5b9n);
const [secondHigh, secondLow] = halves(0x94d049bb133111ebn);

/** The high and the low 32 bits of the low 64. */
function halves(value: bigint): [high: number, low: number] {
  return [Number(BigInt.asUintN(32, value >> 32n)), Number(BigInt.asUintN(32, value))];
}

/** The high 32 bits of the product of two numbers of 32 bits, by halves of 16. */
function highProduct(a: number, b: number): number {
  const [a1, a0, b1, b0] = [a >>> 16, a & 0xffff, b >>> 16, b & 0xffff];
  const middle = a1 * b0 + ((a0 * b0) >>> 16);
  return a1 * b1 + (middle >>> 16) + ((a0 * b1 + (middle & 0xffff)) >>> 16);
}

/**
 * The mixing function of splitmix64 on a pair of 32 bits each, the high ones first. Simulations take millions of these
 * numbers, and with BigInt each is many times slower.
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

/** The mixing function of splitmix64: 64 bits in, 64 well-mixed bits out. */
export function mix64(value: bigint): bigint {
  const pair = Uint32Array.of(...halves(value));
  mix(pair);
  return (BigInt(pair[0]!) << 32n) | BigInt(pair[1]!);
}

/** The k-th output (k = 0, 1, ...) of the splitmix64 generator that starts from `seed`. */
export function splitmix64(seed: bigint, k: bigint): bigint {
  return mix64(seed + (k + 1n) * golden);
}

/** A seed of a named part of a trial, derived from the study's seed: different parts, unrelated streams. */
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
