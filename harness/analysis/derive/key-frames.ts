/**
 * Key frames that were sent, and storms of them: the receiver asks for one because packets are missing, the key frame
 * is many times as large as others and loses packets itself, and so on (Baldassin et al., section 4.3: 18 Mbit/s on a
 * link of 2.5).
 */

import { type Reading, valueAt } from '../../../core/stats/counters.ts';
import { highestRateBps } from '../../../core/vocabulary/rate-schedule.ts';
import { callerSeries } from '../../record/series/caller.ts';
import { senderSeries } from '../../record/series/sender.ts';
import { tunnelSeries } from '../../record/series/tunnel.ts';
import type { TrialRecord } from '../../record/trial-record.ts';

/** `bytes`: null where the sender does not tell the size of one. */
type KeyFrame = { timeMs: number; bytes: number | null };

/** More than one in so long is more than a frame needs, ms. */
const stormMs = 2000;

/** Of the whole trial, in the order of time: to the second where a browser sends. */
export async function keyFramesOf(record: TrialRecord): Promise<KeyFrame[]> {
  const sent = await record.sentFrames();
  if (sent.length > 0)
    return sent
      .filter(({ key }) => key === true)
      .map(({ captureMs, bytes }) => ({ timeMs: captureMs, bytes: bytes ?? null }));
  let before = 0;
  return (await record.read(callerSeries)).flatMap(({ timeMs, outbound }) => {
    const encoded = outbound?.['keyFramesEncoded'];
    if (typeof encoded !== 'number') return [];
    const frames = Array.from({ length: Math.max(0, encoded - before) }, () => ({ timeMs, bytes: null }));
    before = encoded;
    return frames;
  });
}

/**
 * What the sender gave to the link, by its own counter: of its tunnel where there is one, with what that sent again;
 * else of the sender, whose packets and headers it counts, or a browser's payload.
 */
async function sentBytes(record: TrialRecord): Promise<Reading[]> {
  const tunnel = (await record.read(tunnelSeries)).filter(({ end }) => end === 'server');
  if (tunnel.length > 0) return tunnel.map(({ timeMs, sentBytes: value }) => ({ timeMs, value }));
  const sender = await record.read(senderSeries);
  if (sender.length > 0) return sender.map(({ timeMs, sentBytes: value }) => ({ timeMs, value }));
  return (await record.read(callerSeries)).flatMap(({ timeMs, outbound }) => {
    const value = outbound?.['bytesSent'];
    return typeof value === 'number' ? [{ timeMs, value }] : [];
  });
}

/**
 * Key frames of the window that came less than 2 s after the one before, while more was sent than the link carries.
 * Null where nothing is known of frames or bytes, or the link follows a trace.
 */
export async function stormKeyFrames(record: TrialRecord): Promise<number | null> {
  const [frames, bytes] = [await keyFramesOf(record), await sentBytes(record)];
  const { link, originMs } = record;
  if (frames.length === 0 || bytes.length < 2 || link.trace !== null) return null;
  const { startMs, endMs } = record.window;
  const exceeds = (timeMs: number) => {
    // up to a second after it: its own bytes are the point
    const [fromMs, toMs] = [timeMs - stormMs / 2, timeMs + stormMs / 2];
    const [from, to] = [valueAt(bytes, fromMs, stormMs), valueAt(bytes, toMs, stormMs)];
    if (from === undefined || to === undefined) return false;
    return ((to - from) * 8000) / stormMs > highestRateBps(link, fromMs - originMs, toMs - originMs);
  };
  return frames.filter(
    ({ timeMs }, i) =>
      i > 0 && timeMs >= startMs && timeMs <= endMs && timeMs - frames[i - 1]!.timeMs < stormMs && exceeds(timeMs),
  ).length;
}
