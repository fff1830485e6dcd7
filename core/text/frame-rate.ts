/**
 * Rates of frames as film and television have them: 23.976, 29.97 and 59.94 are names of 24000/1001, 30000/1001 and
 * 60000/1001 (SMPTE ST 12-1, 3.1), and may be written so.
 */

/**
 * Refreshes a second of the display that Chromium has without a monitor: it presents no more frames than that, however
 * many arrive.
 */
export const displayHz = 60;

/** Frames per second that a service captures; undefined where it does not say. */
export function capturedRate({ service: { params } }: { service: { params: unknown } }): number | undefined {
  const { frameRate } = params as { frameRate?: unknown };
  return typeof frameRate === 'number' && frameRate > 0 ? frameRate : undefined;
}

/** Of the names by which such rates go: 23.98 and 23.976 are the same. */
const nameTolerance = 0.005;
const ntsc = [24, 30, 48, 60, 120].map(whole => (whole * 1000) / 1001);

const nearestNtsc = (rate: number) => ntsc.find(exact => Math.abs(rate - exact) <= nameTolerance);

/** Frames per second of "29.97", "30000/1001", "25"; undefined where the text is none. */
export function parseFrameRate(text: string): number | undefined {
  const [, num, den] = /^(\d{1,9}(?:\.\d{1,9})?)(?:\/(\d{1,9}))?(?: ?fps)?$/.exec(text.trim()) ?? [];
  if (num === undefined) return undefined;
  const rate = den === undefined ? Number(num) : Number(num) / Number(den);
  if (!Number.isFinite(rate) || rate <= 0) return undefined;
  return Number.isInteger(rate) ? rate : (nearestNtsc(rate) ?? rate);
}

/** As whole numbers, for file formats; other rates than those of film and television to a thousandth. */
export function frameRateFraction(rate: number): { num: number; den: number } {
  const exact = nearestNtsc(rate);
  if (exact !== undefined && !Number.isInteger(rate)) return { num: Math.round(exact * 1001), den: 1001 };
  return Number.isInteger(rate) ? { num: rate, den: 1 } : { num: Math.round(rate * 1000), den: 1000 };
}

/** "30", "29.97", "23.976". */
export const formatFrameRate = (perSecond: number): string => String(Number(perSecond.toFixed(3)));
