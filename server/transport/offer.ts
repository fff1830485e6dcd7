/**
 * Checks an offer before werift reads it, because werift accepts nearly anything. From an offer without credentials it
 * makes a connection that waits for ever. Its answer to n descriptions of one payload type with m feedback kinds has n
 * * n * m parts, which fills the memory from 64 kB of SDP.
 */
import { CoexistError } from '../../core/errors.ts';

/**
 * Most lines of an offer. A browser's offer to receive one stream has 45 lines with one codec, about 200 with all
 * codecs.
 */
const maxLines = 500;
/** Attributes that ICE (RFC 8839) and DTLS (RFC 8842) require. */
const needed = ['ice-ufrag', 'ice-pwd', 'fingerprint', 'setup'] as const;

/** Throws `usage` with the reason if the SDP is not an offer of one video section. */
export function checkOffer(sdp: string): void {
  const lines = sdp.split(/\r?\n/);
  const refuse = (reason: string) => {
    throw new CoexistError('usage', `the offer ${reason}`);
  };
  if (lines.length > maxLines) refuse(`has ${lines.length} lines; ${maxLines} would do`);
  const sections = lines.filter(line => line.startsWith('m='));
  if (!sections.some(line => line.startsWith('m=video '))) refuse('has no video section');
  if (sections.length > 1) refuse(`has ${sections.length} media sections; one of video is expected`);
  for (const name of needed) {
    if (!lines.some(line => line.startsWith(`a=${name}:`) && line.length > `a=${name}:`.length))
      refuse(`has no ${name}`);
  }
  const types = lines
    .filter(line => line.startsWith('a=rtpmap:'))
    .map(line => Number.parseInt(line.slice('a=rtpmap:'.length), 10));
  if (types.some(type => !(type >= 0 && type <= 127))) refuse('describes a payload type that is none');
  if (new Set(types).size < types.length) refuse('describes a payload type twice');
}

/**
 * Returns the offer without candidates whose address is hidden by multicast DNS (RFC 8828). These names do not resolve
 * here, and werift would wait 10 s for them.
 */
export function withoutHiddenCandidates(sdp: string): string {
  return sdp
    .split(/(?<=\n)/)
    .filter(line => !/^a=candidate:.*\.local /i.test(line))
    .join('');
}
