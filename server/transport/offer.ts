/**
 * Checks an SDP offer before werift reads it, because werift accepts nearly any SDP.
 *
 * For an offer without credentials, werift makes a connection that waits for ever. For n descriptions of one payload
 * type with m feedback kinds each, werift's answer has n * n * m parts, so 64 kB of SDP can fill the memory.
 */
import { CoexistError } from '../../core/errors.ts';

/**
 * Largest number of lines in an offer. A browser's offer to receive one stream has 45 lines with one codec, about 200
 * with all codecs.
 */
const maxLines = 500;
/** SDP attributes that ICE (RFC 8839) and DTLS (RFC 8842) require. */
const needed = ['ice-ufrag', 'ice-pwd', 'fingerprint', 'setup'] as const;

/**
 * Throws `usage` with the reason if the SDP is not a valid offer of one section of each of these media, in this order.
 */
export function checkOffer(sdp: string, media: readonly ('video' | 'audio')[] = ['video']): void {
  const lines = sdp.split(/\r?\n/);
  const refuse = (reason: string) => {
    throw new CoexistError('usage', `the offer ${reason}`);
  };
  if (lines.length > maxLines) refuse(`has ${lines.length} lines; ${maxLines} would do`);
  const sections = lines.filter(line => line.startsWith('m='));
  for (const kind of media) if (!sections.some(line => line.startsWith(`m=${kind} `))) refuse(`has no ${kind} section`);
  if (sections.length > media.length || !media.every((kind, i) => sections[i]!.startsWith(`m=${kind} `)))
    refuse(
      `has ${sections.length} media sections; ${media.map(kind => `one of ${kind}`).join(' and then ')} is expected`,
    );
  for (const name of needed) {
    if (!lines.some(line => line.startsWith(`a=${name}:`) && line.length > `a=${name}:`.length))
      refuse(`has no ${name}`);
  }
  const types = lines
    .filter(line => line.startsWith('a=rtpmap:'))
    .map(line => Number.parseInt(line.slice('a=rtpmap:'.length), 10));
  if (types.some(type => !(type >= 0 && type <= 127))) refuse('describes a payload type that is none');
  // the sections of a bundle share the payload types (RFC 9143, section 9.1)
  if (new Set(types).size < types.length) refuse('describes a payload type twice');
}

/**
 * Returns the offer without the candidates whose address is a name of multicast DNS (RFC 8828). These names do not
 * resolve on this host, and werift would wait 10 s for them.
 */
export function withoutHiddenCandidates(sdp: string): string {
  return sdp
    .split(/(?<=\n)/)
    .filter(line => !/^a=candidate:.*\.local /i.test(line))
    .join('');
}
