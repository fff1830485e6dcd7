/**
 * Sets the rates of the sending browser's congestion control in the SDP answer that this browser gets. libwebrtc reads
 * x-google-start-bitrate, -min-bitrate and -max-bitrate, in kbit/s, of the codec in use
 * (media/base/media_constants.cc).
 */
import { withParameters } from './answer-parameters.ts';

type Rates = { startBps: number; minBps: number; maxBps: number };

const kbps = (bps: number) => Math.round(bps / 1000);

/** Returns the answer with the rates added to every payload type of the codec. `codec`: as of `withParameters`. */
export function withRates(answer: string, codec: string, { startBps, minBps, maxBps }: Rates): string {
  return withParameters(answer, codec, {
    'x-google-start-bitrate': kbps(startBps),
    'x-google-min-bitrate': kbps(minBps),
    'x-google-max-bitrate': kbps(maxBps),
  });
}
