/** Feeds our controller what Chromium sent and what it was told, and follows both estimates. */
import type { Controller, Decision, Probe } from '../../../server/congestion/controller.ts';
import { LossReports } from '../../../server/rtp/loss-reports.ts';
import { readRtcp } from '../../../server/rtp/rtcp-reader.ts';
import { roundTripMs } from '../../../server/rtp/sender-report.ts';
import { Unwrapper } from '../../../server/rtp/sequence.ts';
import { SentPackets } from '../../../server/transport/sent-packets.ts';
import type { Cluster, Estimate } from './chromium-log.ts';
import type { SentRtp } from './sent-rtp.ts';

/** An RTCP packet, compound or not, and when it reached Chromium. */
export type Report = { arrivedMs: number; rtcp: Buffer };

/** A packet by the wall clock, and by Chromium's own. */
export type OwnSent = SentRtp & { ownMs: number };

/** A call, by the wall clock. */
export type Recorded = {
  sent: readonly OwnSent[];
  reports: readonly Report[];
  clusters: readonly Cluster[];
  /**
   * What the wall clock is ahead of Chromium's own: libwebrtc takes times in whole ms, and which ms that is hangs on
   * its clock.
   */
  aheadMs: number;
};

const tickMs = 25;
/**
 * A cluster of ours is Chromium's where their rates differ by no more than this share and they were wanted within so
 * long, ms.
 */
const sameCluster = { ratio: 0.3, ms: 500 };

/**
 * Packets that left within so long of each other are one of a cluster's sendings, which is what libwebrtc counts as its
 * packets, ms.
 */
const burstMs = 0.5;

/**
 * Which of our probes each packet was sent for, by the clusters that Chromium's log tells of. A cluster begins with a
 * packet of padding and lasts until it has its sendings and its bytes (libwebrtc 2026-08,
 * modules/pacing/bitrate_prober.cc).
 */
class ProbeTags {
  readonly #clusters: readonly Cluster[];
  readonly #wanted: { timeMs: number; probe: Probe }[] = [];
  #at = 0;
  #sent = { sendings: 0, bytes: 0, lastMs: -Infinity };

  constructor(clusters: readonly Cluster[]) {
    this.#clusters = clusters;
  }

  want(probes: readonly Probe[], timeMs: number): void {
    for (const probe of probes) this.#wanted.push({ timeMs, probe });
  }

  tag({ sentMs, sizeBytes, isPadding }: SentRtp): number | undefined {
    let cluster = this.#clusters[this.#at];
    if (cluster === undefined) return undefined;
    const { sendings, bytes, lastMs } = this.#sent;
    const isNewSending = sentMs - lastMs > burstMs;
    if (isNewSending && sendings >= cluster.minPackets && bytes >= cluster.minBytes) {
      cluster = this.#clusters[++this.#at];
      this.#sent = { sendings: 0, bytes: 0, lastMs: -Infinity };
    }
    if (cluster === undefined || sentMs < cluster.timeMs || (this.#sent.sendings === 0 && !isPadding)) return undefined;
    this.#sent = {
      sendings: this.#sent.sendings + (isNewSending ? 1 : 0),
      bytes: this.#sent.bytes + sizeBytes,
      lastMs: sentMs,
    };
    const { timeMs, rateBps } = cluster;
    return this.#wanted.find(
      want =>
        Math.abs(want.timeMs - timeMs) < sameCluster.ms &&
        Math.abs(want.probe.rateBps / rateBps - 1) < sameCluster.ratio,
    )?.probe.id;
  }
}

/** The controller's estimate after each packet, report and tick, by the wall clock. */
export function replay(
  controller: Controller,
  { sent, reports, clusters, aheadMs }: Recorded,
  startMs: number,
  constraints: { startBps: number; minBps: number; maxBps: number },
): Estimate[] {
  const packets = new SentPackets();
  const tags = new ProbeTags(clusters);
  const sequences = new Unwrapper(16);
  const losses = new LossReports();
  const estimates: Estimate[] = [];
  let rttMs: number | undefined;
  const own = (wallMs: number) => wallMs - aheadMs;
  const take = (decision: Decision, timeMs: number) => {
    tags.want(decision.probes ?? [], timeMs);
    estimates.push({ timeMs, bps: Number(controller.trace()['estimateBps']) });
  };
  const onSent = (packet: OwnSent) => {
    const probe = tags.tag(packet);
    const added = packets.add({
      sequence: sequences.unwrap(packet.sequence),
      sentMs: packet.ownMs,
      sizeBytes: packet.sizeBytes,
      kind: 'media',
      ...(probe === undefined ? {} : { probe }),
    });
    take(controller.onPacketSent(added), packet.sentMs);
  };
  const onReport = ({ arrivedMs, rtcp }: Report) => {
    for (const message of readRtcp(rtcp).messages) {
      if (message.kind === 'report') {
        const since = losses.add(message.blocks);
        if (since !== undefined) controller.onLossReport?.(since.lostPackets, since.expectedPackets, own(arrivedMs));
        const newestMs = message.blocks.map(block => roundTripMs(block, arrivedMs)).find(value => value !== undefined);
        rttMs = newestMs ?? rttMs;
        if (newestMs !== undefined) controller.onRoundTrip?.(newestMs);
      }
      if (message.kind !== 'transport-feedback') continue;
      const feedback = packets.resolve(message.feedback, own(arrivedMs));
      if (feedback !== undefined)
        take(controller.onFeedback(rttMs === undefined ? feedback : { ...feedback, rttMs }), arrivedMs);
    }
  };
  const events = [
    ...sent.map(packet => ({ timeMs: packet.sentMs, run: () => onSent(packet) })),
    ...reports.map(report => ({ timeMs: report.arrivedMs, run: () => onReport(report) })),
  ].sort((a, b) => a.timeMs - b.timeMs);
  take(controller.onConstraints(constraints, own(startMs)), startMs);
  let tickAtMs = startMs;
  for (const { timeMs, run } of events) {
    for (; tickAtMs < timeMs; tickAtMs += tickMs) take(controller.onTick(own(tickAtMs)), tickAtMs);
    run();
  }
  return estimates;
}
