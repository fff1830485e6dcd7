/**
 * Key frames that were sent, and storms of them. In a storm the receiver requests a key frame because of losses, the
 * large key frame loses packets, too, and the receiver requests another one (Baldassin et al., section 4.3: 18 Mbit/s
 * on a link of 2.5 Mbit/s).
 */

import { type Reading, valueAt } from '../../../core/stats/counters.ts';
import { highestRateBps } from '../../../core/vocabulary/rate-schedule.ts';
import { callerSeries } from '../../record/series/caller.ts';
import { senderSeries } from '../../record/series/sender.ts';
import { tunnelSeries } from '../../record/series/tunnel.ts';
import type { TrialRecord } from '../../record/trial-record.ts';

/** Key frame as sent. `bytes`: its size; null if the sender does not report frame sizes. */
type KeyFrame = { timeMs: number; bytes: number | null };

/** Longest interval between two key frames of a storm, ms. */
const stormMs = 2000;

/**
 * Returns the key frames of the whole trial in chronological order. The times are exact to a second if the sender is a
 * browser.
 */
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
 * Returns the counter of bytes that the sender put on the link, from the best source: the sender's tunnel if there is
 * one (with the tunnel's retransmissions), else the media server (with headers), else a sending browser (payload only).
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
 * Counts the key frames of the window that came less than 2 s after the previous key frame, while the sender sent more
 * than the link carries. Null if frames or bytes are unknown, or if a bottleneck follows a trace.
 */
export async function stormKeyFrames(record: TrialRecord): Promise<number | null> {
  const [frames, bytes] = [await keyFramesOf(record), await sentBytes(record)];
  const { row, originMs } = record;
  if (frames.length === 0 || bytes.length < 2 || row.some(({ link }) => link.trace !== null)) return null;
  const { startMs, endMs } = record.window;
  const exceeds = (timeMs: number) => {
    // the interval includes the second after the key frame, in which the bytes of the key frame are sent
    const [fromMs, toMs] = [timeMs - stormMs / 2, timeMs + stormMs / 2];
    const [from, to] = [valueAt(bytes, fromMs, stormMs), valueAt(bytes, toMs, stormMs)];
    if (from === undefined || to === undefined) return false;
    const sentBps = ((to - from) * 8000) / stormMs;
    return row.some(({ link }) => sentBps > highestRateBps(link, fromMs - originMs, toMs - originMs));
  };
  return frames.filter(
    ({ timeMs }, i) =>
      i > 0 && timeMs >= startMs && timeMs <= endMs && timeMs - frames[i - 1]!.timeMs < stormMs && exceeds(timeMs),
  ).length;
}
