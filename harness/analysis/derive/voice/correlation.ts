/** Normalised correlation of heard samples with spoken ones. */

/** Best agreement over a range of shifts: correlation from -1 to 1, and the shift that has it. */
type Agreement = { correlation: number; shift: number };

const energyOf = (samples: Float32Array, from: number, length: number) => {
  let energy = 0;
  for (let i = from; i < from + length; i++) energy += samples[i]! ** 2;
  return energy;
};

/**
 * Compares `length` samples of `heard` from `from` on with the samples of the loop `spoken` from `place - shift` on, for
 * every shift from `least` to `most`. Returns the shift with the highest correlation; correlation 0 if either is silent
 * there.
 */
export function bestShift(
  heard: Float32Array,
  from: number,
  length: number,
  spoken: Float32Array,
  place: number,
  [least, most]: readonly [number, number],
): Agreement {
  const best: Agreement = { correlation: 0, shift: least };
  const heardEnergy = energyOf(heard, from, length);
  if (heardEnergy === 0) return best;
  // the part of the loop that all shifts together touch, in one piece
  const piece = looped(spoken, place - most, most - least + length);
  let energy = energyOf(piece, most - least, length);
  for (let shift = least; shift <= most; shift++) {
    const offset = most - shift;
    if (energy > 0) {
      let product = 0;
      for (let i = 0; i < length; i++) product += heard[from + i]! * piece[offset + i]!;
      const correlation = product / Math.sqrt(heardEnergy * energy);
      if (correlation > best.correlation) {
        best.correlation = correlation;
        best.shift = shift;
      }
    }
    if (offset > 0) energy += piece[offset - 1]! ** 2 - piece[offset - 1 + length]! ** 2;
  }
  return best;
}

/** Returns `length` samples of a loop from `from` on, which may be any whole number. */
export function looped(loop: Float32Array, from: number, length: number): Float32Array {
  const piece = new Float32Array(length);
  let at = ((from % loop.length) + loop.length) % loop.length;
  for (let filled = 0; filled < length; at = 0) {
    const part = loop.subarray(at, at + length - filled);
    piece.set(part, filled);
    filled += part.length;
  }
  return piece;
}

/** Returns the samples at half the rate: means of pairs. */
export function halved(samples: Float32Array): Float32Array {
  return Float32Array.from({ length: samples.length >> 1 }, (_, i) => (samples[2 * i]! + samples[2 * i + 1]!) / 2);
}
