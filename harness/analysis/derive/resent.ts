/**
 * RTP packets that a sender retransmitted because the browser requested the packets. The receiver's count
 * (`retransmittedPacketsReceived`) cannot be used: it includes the padding on the retransmission stream, and a sender
 * that probes for bandwidth sends much padding.
 */

import { growth } from '../../../core/stats/counters.ts';
import { kindPlace } from '../../../core/vocabulary/packet-kind.ts';
import type { PacketTable } from '../../record/packet-table.ts';
import { callerSeries } from '../../record/series/caller.ts';
import { senderSeries } from '../../record/series/sender.ts';
import type { TrialRecord, Window } from '../../record/trial-record.ts';
import { inboundCounter } from './inbound.ts';

type Resent = {
  /** Retransmissions that were sent in the window. */
  sent: number;
  /** Losses of media packets and of retransmissions. Each loss requires one more retransmission. */
  lost: number;
};

function fromTable({ length, kind, sentMs, receivedMs, feedbackMs }: PacketTable, window: Window): Resent {
  const resent: Resent = { sent: 0, lost: 0 };
  for (let row = 0; row < length; row++) {
    if (!(sentMs[row]! >= window.startMs && sentMs[row]! < window.endMs)) continue;
    const isAgain = kind[row] === kindPlace.retransmission;
    if (!isAgain && kind[row] !== kindPlace.media) continue;
    if (isAgain) resent.sent++;
    if (!Number.isNaN(feedbackMs[row]!) && Number.isNaN(receivedMs[row]!)) resent.lost++;
  }
  return resent;
}

/**
 * Returns retransmissions and losses of the window. Source: the media server's list of packets if there is one.
 * Otherwise: the counters of the sender or of a sending browser (outbound-rtp `retransmittedPacketsSent`) and of the
 * receiver, which do not count lost retransmissions. Null if the sender reports nothing.
 */
export async function resentPackets(record: TrialRecord): Promise<Resent | null> {
  const table = await record.packetTable();
  if (table.length > 0) return fromTable(table, record.window);
  const sender = (await record.read(senderSeries)).map(({ timeMs, retransmissions: value }) => ({ timeMs, value }));
  const caller = (await record.read(callerSeries)).flatMap(({ timeMs, outbound }) => {
    const value = outbound?.['retransmittedPacketsSent'];
    return typeof value === 'number' ? [{ timeMs, value }] : [];
  });
  const sent = growth(sender.length > 0 ? sender : caller, record.window);
  const lost = growth(await inboundCounter(record, 'packetsLost'), record.window);
  return sent === null || lost === null ? null : { sent: Math.round(sent), lost: Math.max(0, Math.round(lost)) };
}
