/** Feeds our controller what Chromium sent and what it was told, and follows both estimates. */
import type { Controller, Decision, Probe } from '../../../server/congestion/controller.ts';
import { readTransportFeedback } from '../../../server/rtp/transport-feedback.ts';
import { Unwrapper } from '../../../server/rtp/sequence.ts';
import { SentPackets } from '../../../server/transport/sent-packets.ts';
import type { Cluster, Estimate } from './chromium-log.ts';
import type { SentRtp } from './sent-rtp.ts';

export type Report = { arrivedMs: number; rtcp: Buffer };

const tickMs = 25;
/** A cluster of ours is Chromium's where their rates differ by no more than this share and they were wanted within so long, ms. */
const sameCluster = { ratio: 0.3, ms: 500 };

/** Which of our probes each packet was sent for, by the clusters that Chromium's log tells of. */
class ProbeTags {
  readonly #clusters: readonly Cluster[];
  readonly #wanted: { timeMs: number; probe: Probe }[] = [];
  #at = 0;
  #sent = { packets: 0, bytes: 0 };

  constructor(clusters: readonly Cluster[]) {
    this.#clusters = clusters;
  }

  want(probes: readonly Probe[], timeMs: number): void {
    for (const probe of probes) this.#wanted.push({ timeMs, probe });
  }

  /** Chromium's clusters are sent one after the other, each until it has its packets and its bytes. */
  tag({ sentMs, sizeBytes }: SentRtp): number | undefined {
    const cluster = this.#clusters[this.#at];
    if (cluster === undefined || sentMs < cluster.timeMs) return undefined;
    this.#sent = { packets: this.#sent.packets + 1, bytes: this.#sent.bytes + sizeBytes };
    if (this.#sent.packets >= cluster.minPackets && this.#sent.bytes >= cluster.minBytes) {
      this.#at++;
      this.#sent = { packets: 0, bytes: 0 };
    }
    return this.#wanted.find(({ timeMs, probe }) => Math.abs(timeMs - cluster.timeMs) < sameCluster.ms && Math.abs(probe.rateBps / cluster.rateBps - 1) < sameCluster.ratio)?.probe.id;
  }
}

/** The controller's estimate after each report and tick. Times as in what is given. */
export function replay(controller: Controller, sent: readonly SentRtp[], reports: readonly Report[], clusters: readonly Cluster[], startMs: number, constraints: { startBps: number; minBps: number; maxBps: number }): Estimate[] {
  const packets = new SentPackets();
  const tags = new ProbeTags(clusters);
  const sequences = new Unwrapper(16);
  const estimates: Estimate[] = [];
  const take = (decision: Decision, timeMs: number) => {
    tags.want(decision.probes ?? [], timeMs);
    estimates.push({ timeMs, bps: Number(controller.trace()['lossBasedBps']) });
  };
  const events = [
    ...sent.map(packet => ({ timeMs: packet.sentMs, run: () => {
      const probe = tags.tag(packet);
      const added = packets.add({ sequence: sequences.unwrap(packet.sequence), sentMs: packet.sentMs, sizeBytes: packet.sizeBytes, kind: 'media', ...(probe === undefined ? {} : { probe }) });
      take(controller.onPacketSent(added), packet.sentMs);
    } })),
    ...reports.map(({ arrivedMs, rtcp }) => ({ timeMs: arrivedMs, run: () => {
      const read = readTransportFeedback(rtcp);
      const feedback = read === undefined ? undefined : packets.resolve(read, arrivedMs);
      if (feedback !== undefined) take(controller.onFeedback(feedback), arrivedMs);
    } })),
  ].sort((a, b) => a.timeMs - b.timeMs);
  take(controller.onConstraints(constraints, startMs), startMs);
  let tickAtMs = startMs;
  for (const { timeMs, run } of events) {
    for (; tickAtMs < timeMs; tickAtMs += tickMs) if (tickAtMs >= startMs) take(controller.onTick(tickAtMs), tickAtMs);
    run();
  }
  return estimates;
}
