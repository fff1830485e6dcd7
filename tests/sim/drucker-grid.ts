/**
 * The 24 links on which Drucker et al. ("Investigating WebRTC BBR as an alternative to GCC for live video streaming",
 * Table I) streamed a clip of five minutes, and what a simulated flow over one of them gives.
 *
 * The paper names round trips and rates, and of each pair a shallow and a deep buffer. Of sizes it names two: 1 MB at
 * 100 ms and 5 Mbit/s, which is 16 bandwidth-delay products, and "100 kb" at 50 ms and 500 kbit/s, which is 4
 * (kilobits) or 32 (kilobytes). Here every deep buffer is 16 products; a shallow one is half a product, but two whole
 * packets where that is less.
 *
 * What is not simulated: an encoder that misses its target, retransmissions, frames that miss a packet. So losses cost
 * no more than their bytes, and the bitrate is that of the media that arrives, whether it can be decoded or not.
 */
import { formatDuration, formatRate, formatSize } from '../../core/text/units.ts';
import type { ControllerPlugin } from '../../server/congestion/controller.ts';
import { runScenario } from './scenario.ts';

/** The clip's highest average bitrate (section IV), bit/s. */
export const clipBps = 1.3e6;
/** The clip's length (section IV), ms. */
export const clipMs = 300e3;
/** Left out at the beginning, where a flow is still looking for its rate, ms. */
export const startUpMs = 10e3;
const packetBytes = 1500;
const deepProducts = 16;
const shallowProducts = 0.5;
/** The pacer of 2018 ran every 5 ms (paced_sender.cc). */
const pacerBurstMs = 5;

export type GridLink = { rttMs: number; rateBps: number; buffer: 'shallow' | 'deep'; queueBytes: number };

export const gridLinks: readonly GridLink[] = (['shallow', 'deep'] as const).flatMap(buffer =>
  [20, 50, 100].flatMap(rttMs =>
    [500e3, 1e6, 2e6, 5e6].map(rateBps => {
      const productBytes = (rateBps / 8000) * rttMs;
      return {
        rttMs,
        rateBps,
        buffer,
        queueBytes:
          buffer === 'deep' ? deepProducts * productBytes : Math.max(shallowProducts * productBytes, 2 * packetBytes),
      };
    }),
  ),
);

export function nameOf({ rttMs, rateBps, buffer, queueBytes }: GridLink): string {
  return `round trip ${formatDuration(rttMs)}, ${formatRate(rateBps)}, ${buffer} buffer of ${formatSize(queueBytes)}`;
}

/** What the link and the clip allow, bit/s. */
export function possibleBps({ rateBps }: GridLink): number {
  return Math.min(rateBps, clipBps);
}

/** Averages after the start-up; the queue as time of the packets in it, own transmission included. */
export type Outcome = {
  link: GridLink;
  mediaBps: number;
  /** The controller's own estimate of the path: `estimateBps` of its trace, or its target where the trace has none. */
  estimateBps: number;
  /** Of the link, padding included. */
  utilisation: number;
  medianQueueMs: number;
  highQueueMs: number;
  lossRatio: number;
  /** Lowest round trip as the controller takes it, where its trace says so. */
  minRttMs: number | undefined;
  /** Rate of a TCP flow beside it, where there is one. */
  tcpBps: number | undefined;
  packets: number;
};

export type GridOptions = { durationMs?: number; params?: Record<string, unknown>; besideTcp?: boolean; seed?: number };

/** One flow of the clip over one link; `besideTcp`: with a greedy TCP flow from the start. */
export function runGridLink(
  plugin: ControllerPlugin,
  link: GridLink,
  { durationMs = clipMs, params = {}, besideTcp = false, seed = 1 }: GridOptions = {},
): Outcome {
  const recording = runScenario(plugin, {
    durationMs,
    params,
    seed,
    pacerBurstMs,
    link: link.rateBps,
    queueMs: (link.queueBytes * 8000) / link.rateBps,
    oneWayMs: link.rttMs / 2,
    returnMs: link.rttMs / 2,
    constraints: { maxBps: clipBps },
    ...(besideTcp ? { tcp: [{ fromMs: 0, toMs: durationMs }] } : {}),
  });
  const mean = (name: string) => recording.meanOf(name, startUpMs, durationMs);
  const trace = recording.traces.at(-1)!.trace;
  const tcpBytes = recording.tcpBytes[0];
  return {
    link,
    mediaBps: recording.mediaBps(startUpMs, durationMs),
    utilisation: recording.utilisation(startUpMs, durationMs),
    estimateBps: 'estimateBps' in trace ? mean('estimateBps') : recording.meanTarget(startUpMs, durationMs),
    medianQueueMs: recording.queueMs(50, startUpMs, durationMs),
    highQueueMs: recording.queueMs(95, startUpMs, durationMs),
    lossRatio: recording.lossRatio(startUpMs, durationMs),
    minRttMs: 'minRttMs' in trace ? mean('minRttMs') : undefined,
    tcpBps: tcpBytes === undefined ? undefined : (tcpBytes * 8000) / durationMs,
    packets: recording.packets.length,
  };
}
