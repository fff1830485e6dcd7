/**
 * Checks an offer before werift reads it. werift accepts nearly anything: an offer without credentials would create a
 * connection that waits for ever, and its answer to n descriptions of one payload type with m feedback kinds has n * n
 * * m parts, which from 64 kB of SDP fills the memory.
 */
import { CoexistError } from '../../core/errors.ts';

/** A browser's offer to receive one stream has 45 lines with one codec, about 200 with all of them. */
const maxLines = 500;
/** What ICE (RFC 8839) and DTLS (RFC 8842) cannot do without. */
const needed = ['ice-ufrag', 'ice-pwd', 'fingerprint', 'setup'] as const;

/** Throws `usage` with the reason for SDP that is no offer of one video section. */
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
 * The offer without candidates whose address is hidden behind multicast DNS (RFC 8828): nobody answers for them here,
 * and werift would wait 10 s.
 */
export function withoutHiddenCandidates(sdp: string): string {
  return sdp
    .split(/(?<=\n)/)
    .filter(line => !/^a=candidate:.*\.local /i.test(line))
    .join('');
}
