/**
 * Sets the rates of the sending browser's congestion control in the SDP answer that this browser gets. libwebrtc reads
 * x-google-start-bitrate, -min-bitrate and -max-bitrate, in kbit/s, of the codec in use
 * (media/base/media_constants.cc).
 */
type Rates = { startBps: number; minBps: number; maxBps: number };

const kbps = (bps: number) => Math.round(bps / 1000);

/**
 * Returns the answer with the rates added to every payload type of the codec. `codec`: name of the codec in rtpmap
 * lines, in upper or lower case.
 */
export function withRates(answer: string, codec: string, { startBps, minBps, maxBps }: Rates): string {
  const words = `x-google-start-bitrate=${kbps(startBps)};x-google-min-bitrate=${kbps(minBps)};x-google-max-bitrate=${kbps(maxBps)}`;
  const lines = answer.split('\r\n');
  const types = lines.flatMap(line => {
    const match = /^a=rtpmap:(\d+) ([^/]+)\//.exec(line);
    return match !== null && match[2]!.toLowerCase() === codec.toLowerCase() ? [match[1]!] : [];
  });
  if (types.length === 0) throw new Error(`the answer has no ${codec}`);
  return lines
    .flatMap(line => {
      for (const type of types) {
        if (line.startsWith(`a=fmtp:${type} `)) return [`${line};${words}`];
        if (line.startsWith(`a=rtpmap:${type} `) && !lines.some(other => other.startsWith(`a=fmtp:${type} `)))
          return [line, `a=fmtp:${type} ${words}`];
      }
      return [line];
    })
    .join('\r\n');
}
