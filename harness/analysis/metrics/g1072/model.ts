/**
 * ITU-T G.1072 (01/2020, with Corrigendum 1 of 10/2020): opinion model of cloud gaming, for games of the default,
 * highest class in both delay sensitivity and video complexity.
 *
 * Structure and weights are the Recommendation's. The coefficients are those of this class in the program of its
 * authors (stootaghaj/ITU-G1072, G1072.py), from which numbers were taken and no code. Deviations: one revision of that
 * program limits R to 78.49, a score of 4.14; this code sets no such limit. The share of lost frames is an input, while
 * the model estimates it from packet loss.
 */

export type GamingInputs = {
  bitrateMbps: number;
  /** Frame rate, frames per second. */
  frameRate: number;
  /** Number of pixels of a coded frame. */
  pixels: number;
  /** Share of lost frames, per cent. The previous frame stays on the screen in place of a lost frame. */
  frameLossPercent: number;
  /** Share of lost packets that damage shown frames, per cent; 0 if damaged frames are never shown. */
  slicingLossPercent: number;
  /** Round trip time, ms. */
  delayMs: number;
};

const clamp = (value: number, most: number) => Math.max(0, Math.min(most, value));

/** Returns the impairment of the video by coding (as in ITU-T G.1071, with new coefficients). */
function codingImpairment(bitsPerPixel: number): number {
  const complexity = 7.62306351 * Math.exp(-167.837954 * bitsPerPixel) + 0.0760332685;
  return Math.max(
    0,
    Math.min(65, 47.7463038 * Math.exp(-12.0699723 * bitsPerPixel) + 9.05167501 * complexity + 3.41919377),
  );
}

/** Returns the impairment by lost packets in frames that are shown damaged. */
function transmissionImpairment(coding: number, lossPercent: number): number {
  const magnitude = ((74.0570804 - coding) * lossPercent) / (0.00406000335 * coding + lossPercent);
  const damage = lossPercent === 0 ? 0 : 2.58892015e-8 * (Math.exp(0.868406685 * magnitude) - 1);
  return 1.57176227 * Math.log(3.68595885 * damage + 1);
}

const delayImpairment = (delayMs: number) => clamp(90 / (1 + Math.exp(1.191 - 0.009775 * delayMs)) - 18.73, 68.98);
const videoTemporalImpairment = (rate: number, lossPercent: number) =>
  clamp(47.03 + 0.01747 * rate ** 2 - 1.823 * rate + 10.7 * Math.log(lossPercent + 1), 61.29);
const inputTemporalImpairment = (rate: number, lossPercent: number) =>
  clamp(54.71 + 0.02589 * rate ** 2 - 2.485 * rate + 9.306 * Math.log(lossPercent + 1), 68.98);

/**
 * Returns the opinion score, 1.3 to 4.64, for a rating from 0 to 100. The cubic alone would fall slightly below 1.3 for
 * the lowest ratings.
 */
export function scoreOf(rating: number): number {
  return Math.max(1.3, 1.3 + (3.34 * rating) / 100 + rating * (rating - 60) * (100 - rating) * 7e-6);
}

/** Returns the mean opinion score that the model predicts, 1.3 (bad) to 4.64 (excellent). */
export function gamingScore({
  bitrateMbps,
  frameRate,
  pixels,
  frameLossPercent,
  slicingLossPercent,
  delayMs,
}: GamingInputs): number {
  const coding = codingImpairment((bitrateMbps * 1e6) / (pixels * frameRate));
  return scoreOf(
    clamp(
      100 -
        0.788 * coding -
        0.896 * transmissionImpairment(coding, slicingLossPercent) -
        0.227 * videoTemporalImpairment(frameRate, frameLossPercent) -
        0.625 * inputTemporalImpairment(frameRate, frameLossPercent) -
        0.848 * delayImpairment(delayMs),
      100,
    ),
  );
}

/** Range of each input of the model. */
const within = {
  bitrateMbps: [0.3, 50],
  frameRate: [10, 60],
  pixels: [640 * 480, 1920 * 1080],
  delayMs: [0, 400],
} as const;

/** Lowest score of the model, used for a stream that shows nothing. */
export const lowestScore = scoreOf(0);

/** Returns the inputs, each moved to the nearest value in the range of the model. */
export function movedIntoRange(inputs: GamingInputs): GamingInputs {
  const moved = Object.entries(within).map(([name, [least, most]]) => [
    name,
    Math.min(most, Math.max(least, inputs[name as keyof typeof within])),
  ]);
  return { ...inputs, ...Object.fromEntries(moved) };
}

/** Returns true if all inputs are in the range of the model. Outside the range the score would be an extrapolation. */
export function isWithinRange(inputs: GamingInputs): boolean {
  return Object.entries(within).every(
    ([name, [least, most]]) =>
      inputs[name as keyof typeof within] >= least && inputs[name as keyof typeof within] <= most,
  );
}
