/** Sets parameters of a codec in an SDP answer (a=fmtp: RFC 8866, section 6.15). The browser that gets it obeys them. */

/**
 * Returns the answer with the parameters at every payload type of the codec; they replace those of the same names.
 * `codec`: name of the codec in rtpmap lines, in upper or lower case.
 */
export function withParameters(
  answer: string,
  codec: string,
  parameters: Readonly<Record<string, string | number>>,
): string {
  const words = Object.entries(parameters).map(([name, value]) => `${name}=${value}`);
  const lines = answer.split('\r\n');
  const types = lines.flatMap(line => {
    const match = /^a=rtpmap:(\d+) ([^/]+)\//.exec(line);
    return match !== null && match[2]!.toLowerCase() === codec.toLowerCase() ? [match[1]!] : [];
  });
  if (types.length === 0) throw new Error(`the answer has no ${codec}`);
  return lines
    .flatMap(line => {
      for (const type of types) {
        const begin = `a=fmtp:${type} `;
        if (line.startsWith(begin)) {
          const kept = line
            .slice(begin.length)
            .split(';')
            .filter(word => !Object.hasOwn(parameters, word.split('=')[0]!.trim()));
          return [`${begin}${[...kept, ...words].join(';')}`];
        }
        if (line.startsWith(`a=rtpmap:${type} `) && !lines.some(other => other.startsWith(begin)))
          return [line, `${begin}${words.join(';')}`];
      }
      return [line];
    })
    .join('\r\n');
}
