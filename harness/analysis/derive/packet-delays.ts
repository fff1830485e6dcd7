/**
 * Time that each media packet took to the viewer, on one clock.
 *
 * Transport feedback gives arrivals on a browser clock with an unknown origin. For a presented frame the browser also
 * reports the arrival of the frame's last packet on the page's clock (WICG video-rvfc, receiveTime). The median
 * difference over frames is the offset between the two clocks.
 */

import { median } from '../../../core/stats/quantile.ts';
import { pathOf } from '../../../core/vocabulary/link.ts';
import { kindPlace } from '../../../core/vocabulary/packet-kind.ts';
import { presentedSeries } from '../../record/series/frames.presented.ts';
import type { TrialRecord } from '../../record/trial-record.ts';

/**
 * Returns the delays of the received media and repair packets that were sent in the window, ms. Undefined if the offset
 * between the two clocks cannot be measured.
 */
export async function packetDelays(record: TrialRecord): Promise<Float64Array | undefined> {
  const { startMs, endMs } = record.window;
  const { length, kind, rtpTimestamp: timestamps, sentMs, receivedMs } = await record.packetTable();
  const lastOf = new Map<number, number>();
  const rows = new Uint32Array(length);
  let count = 0;
  for (let row = 0; row < length; row++) {
    const received = receivedMs[row]!;
    if (Number.isNaN(received) || kind[row] === kindPlace.padding || sentMs[row]! < startMs || sentMs[row]! >= endMs)
      continue;
    rows[count++] = row;
    if (received > (lastOf.get(timestamps[row]!) ?? -Infinity)) lastOf.set(timestamps[row]!, received);
  }
  const offsets = (await record.read(presentedSeries)).flatMap(({ rtpTimestamp, receiveMs, presentationMs }) => {
    const last = rtpTimestamp === null ? undefined : lastOf.get(rtpTimestamp);
    return last === undefined || receiveMs === null || presentationMs > endMs ? [] : [receiveMs - last];
  });
  const offsetMs = median(offsets);
  return offsetMs === undefined
    ? undefined
    : Float64Array.from(rows.subarray(0, count), row => receivedMs[row]! + offsetMs - sentMs[row]!);
}

/** Returns the configured delay from the client back to the server on an idle path, ms. */
export function wayBackMs({ link, application }: Pick<TrialRecord, 'link' | 'application'>): number {
  const { rttMs, downMs, upMs } = pathOf(link.paths, application.name);
  return rttMs === null ? upMs : rttMs - downMs;
}
