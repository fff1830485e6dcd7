/** Puts the sections of an SDP answer into one media stream (RFC 8830), whose tracks a browser plays in sync. */

/** Id of the stream. */
const stream = 'coexist';

/** Returns the answer with a line in each section that names the stream and a track of it. */
export function withOneStream(answerSdp: string): string {
  return answerSdp.replace(/^a=mid:(\S+)\r\n/gm, `$&a=msid:${stream} $1\r\n`);
}
