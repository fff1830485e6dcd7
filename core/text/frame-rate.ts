/**
 * Frame rates of film and television. 23.976, 29.97 and 59.94 are names of the rates 24000/1001, 30000/1001 and
 * 60000/1001 (SMPTE ST 12-1, 3.1), and users may write these names.
 */

/**
 * Refresh rate of Chromium's display without a monitor, Hz. Chromium presents at most this many frames per second,
 * however many arrive.
 */
export const displayHz = 60;

/** Largest distance of a number from the rate that it names, frames per second: 23.98 and 23.976 name the same rate. */
const nameTolerance = 0.005;
const ntsc = [24, 30, 48, 60, 120].map(whole => (whole * 1000) / 1001);

const nearestNtsc = (rate: number) => ntsc.find(exact => Math.abs(rate - exact) <= nameTolerance);

/** Parses "29.97", "30000/1001" or "25" and returns frames per second. Undefined if the text is not a frame rate. */
export function parseFrameRate(text: string): number | undefined {
  const [, num, den] = /^(\d{1,9}(?:\.\d{1,9})?)(?:\/(\d{1,9}))?(?: ?fps)?$/.exec(text.trim()) ?? [];
  if (num === undefined) return undefined;
  const rate = den === undefined ? Number(num) : Number(num) / Number(den);
  if (!Number.isFinite(rate) || rate <= 0) return undefined;
  return Number.isInteger(rate) ? rate : (nearestNtsc(rate) ?? rate);
}

/**
 * Returns a rate as a fraction of whole numbers, for file formats. A rate that film and television do not use is
 * rounded to a thousandth.
 */
export function frameRateFraction(rate: number): { num: number; den: number } {
  const exact = nearestNtsc(rate);
  if (exact !== undefined && !Number.isInteger(rate)) return { num: Math.round(exact * 1001), den: 1001 };
  return Number.isInteger(rate) ? { num: rate, den: 1 } : { num: Math.round(rate * 1000), den: 1000 };
}

/** Returns a rate as text: "30", "29.97" or "23.976". */
export const formatFrameRate = (perSecond: number): string => String(Number(perSecond.toFixed(3)));
