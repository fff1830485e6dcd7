/**
 * Constants of the voice that a trial sends and of its record, and the chirps that mark places in it. A chirp is a short
 * sweep, found by its correlation with the same sweep. Sweeps up and down alternate, so that a chirp is mistaken for
 * another only if it is late by twice the interval.
 */

/** Sampling rate of the voice that is encoded, Hz: the clock rate of Opus in RTP (RFC 7587, section 4.1). */
export const voiceRateHz = 48_000;
/** Sampling rate of the recorded voice, Hz: wideband, which has all that the analysis uses. */
export const recordedRateHz = 16_000;
/** Time between the begins of two chirps, and time of the first one in the clip, ms. */
const chirpIntervalMs = 2000;
const firstChirpMs = 1000;
/** Length of a chirp, ms. */
export const chirpMs = 40;
/** Silence before and after a chirp, ms: the voice is left out, so that the chirp is found exactly. */
export const chirpMarginMs = 10;
/** Frequencies between which a chirp sweeps, Hz: Opus codes them at every rate. */
const [lowHz, highHz] = [800, 3200];
/** Peak of a chirp; 1 is full scale. */
const chirpPeak = 0.5;

/** Place of a chirp in a clip. */
export type ChirpPlace = { clipMs: number; sweep: 'up' | 'down' };

/** Returns the places of the chirps in a clip of this length. */
export function chirpPlaces(lengthMs: number): ChirpPlace[] {
  const places: ChirpPlace[] = [];
  for (let clipMs = firstChirpMs; clipMs + chirpMs + chirpMarginMs <= lengthMs; clipMs += chirpIntervalMs)
    places.push({ clipMs, sweep: places.length % 2 === 0 ? 'up' : 'down' });
  return places;
}

/** Returns the samples of a chirp. */
export function chirpWave(sweep: ChirpPlace['sweep'], rateHz: number): Float64Array {
  const length = Math.round((chirpMs * rateHz) / 1000);
  const seconds = chirpMs / 1000;
  const [fromHz, toHz] = sweep === 'up' ? [lowHz, highHz] : [highHz, lowHz];
  return Float64Array.from({ length }, (_, i) => {
    const t = i / rateHz;
    const phase = 2 * Math.PI * (fromHz * t + ((toHz - fromHz) * t * t) / (2 * seconds));
    const window = 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / (length - 1));
    return chirpPeak * window * Math.sin(phase);
  });
}
