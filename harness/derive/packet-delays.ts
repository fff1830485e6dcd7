/**
 * How long each media packet was on its way to the viewer, on one clock.
 *
 * Transport feedback gives arrivals on a clock of the browser's with an origin of its own. The browser also tells, for a presented picture, when
 * the last of its packets came, on the page's clock (WICG video-rvfc, receiveTime); the median of the differences over pictures is how
 * the one clock stands to the other.
 */
import type { TrialRecord } from '../record/trial-record.ts';
import { median } from '../stats/quantile.ts';

export type PacketDelay = { sentMs: number; delayMs: number };

/** Packets of media and repair that were sent in the window and received; undefined where the clocks cannot be joined. */
export async function packetDelays(record: TrialRecord): Promise<PacketDelay[] | undefined> {
  const { startMs, endMs } = record.window;
  const packets = (await record.packets()).filter(({ kind, sentMs, receivedMs }) => receivedMs !== null && kind !== 'padding' && sentMs >= startMs && sentMs < endMs);
  const lastOf = new Map<number, number>();
  for (const { rtpTimestamp, receivedMs } of packets) lastOf.set(rtpTimestamp, Math.max(receivedMs!, lastOf.get(rtpTimestamp) ?? -Infinity));
  const offsets = (await record.presentedFrames()).flatMap(({ rtpTimestamp, receiveMs, presentationMs }) => {
    const last = rtpTimestamp === null ? undefined : lastOf.get(rtpTimestamp);
    return last === undefined || receiveMs === null || presentationMs > endMs ? [] : [receiveMs - last];
  });
  const offsetMs = median(offsets);
  return offsetMs === undefined ? undefined : packets.map(({ sentMs, receivedMs }) => ({ sentMs, delayMs: receivedMs! + offsetMs - sentMs }));
}

/** Delay of the idle way back from the client to the server, ms, as the link was asked to have it. */
export function wayBackMs({ file }: TrialRecord): number {
  const { rttMs, downMs, upMs } = file.condition.link.ways.server;
  return rttMs === null ? upMs : rttMs - downMs;
}
