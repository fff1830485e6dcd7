/**
 * Seeded random numbers: splitmix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number
 * generators", OOPSLA 2014). The same generator decides packet losses in the kernel
 * (shaper/native/loss.bpf.c), so what the kernel will drop can be predicted here.
 */

const golden = 0x9e3779b97f4a7c15n;
const mask = 0xffffffffffffffffn;

/** The mixing function of splitmix64: 64 bits in, 64 well-mixed bits out. */
export function mix64(value: bigint): bigint {
  let z = value & mask;
  z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & mask;
  z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & mask;
  return z ^ (z >> 31n);
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
  let k = 0n;
  const start = BigInt(seed);
  return {
    next: () => Number(splitmix64(start, k++) >> 11n) / 2 ** 53,
  };
}
