/**
 * Google Congestion Control of a sender. Processes a feedback message in the same order as libwebrtc.
 *
 * Source: libwebrtc 2026-08, goog_cc/goog_cc_network_control.cc. Deviations: README.md.
 */
import type {
  Constraints,
  Controller,
  Decision,
  Feedback,
  PacketResult,
  Probe,
  ProbeResult,
  SentPacket,
  Trace,
} from '../controller.ts';
import { AckedBitrate } from './acked-bitrate.ts';
import { defaultRttMs, lowestBps } from './aimd.ts';
import { AlrDetector } from './alr.ts';
import { DelayBasedEstimate } from './delay-based.ts';
import type { LossState } from './loss-based.ts';
import type { GccParams } from './params.ts';
import { ProbeController, type RateLimit } from './probe-controller.ts';
import { ProbeEstimator } from './probe-estimator.ts';
import { Pushback } from './pushback.ts';
import { TargetRate } from './target-rate.ts';

/** Ratio of the pacing rate to the estimate before the first feedback (kDefaultPaceMultiplier). */
const firstPacingFactor = 2.5;
/** Share of the acked bitrate below which a probe's result may not lower the rate (kProbeDropThroughputFraction). */
const probeDropRatio = 0.85;
/** Resolution of the times in transport-wide feedback after rounding: whole ms (TransportFeedbackAdapter). */
const transportResolutionMs = 1;
/** Constraints until the first call of `onConstraints` (BitrateConstraints, kCongestionControllerMinBitrate). */
const firstConstraints: Constraints = { minBps: lowestBps, startBps: 300e3, maxBps: 30e6 };

type Received = PacketResult & { receivedMs: number };
type Published = { rateBps: number; pushedBps: number; lossState?: LossState; lossRatio?: number; rttMs?: number };

export class Gcc implements Controller {
  readonly #params: GccParams;
  readonly #acked = new AckedBitrate();
  readonly #alr = new AlrDetector();
  readonly #probes: ProbeController;
  readonly #probeEstimator = new ProbeEstimator();
  readonly #pushback: Pushback | undefined;
  #constraints = firstConstraints;
  #delay: DelayBasedEstimate;
  #target: TargetRate;
  #started = false;
  #sawFeedback = false;
  #wasInAlr = false;
  #resolutionMs: number;
  #rttMs = defaultRttMs;
  /** Newest state passed to pacer and prober. */
  #published: Published = { rateBps: firstConstraints.startBps, pushedBps: firstConstraints.startBps };
  #last: Omit<Decision, 'probes'> = { frameDropRatio: 0 };

  constructor(params: GccParams) {
    this.#params = params;
    this.#resolutionMs = params.timestampResolution ?? transportResolutionMs;
    this.#probes = new ProbeController({
      ceilingBps: params.probeCeiling ?? Infinity,
      periodicInAlr: params.probing === 'alr',
    });
    this.#pushback = params.pushback === 'off' ? undefined : new Pushback(params.windowQueue);
    this.#delay = this.#newDelayBased(firstConstraints.startBps);
    this.#target = this.#newTarget(firstConstraints.startBps);
  }

  onConstraints(constraints: Constraints, nowMs: number): Decision {
    this.#constraints = constraints;
    const probes: Probe[] = [];
    const minBps = Math.max(constraints.minBps, lowestBps);
    if (!this.#started) {
      this.#started = true;
      const startBps = Math.max(constraints.startBps, minBps);
      this.#delay = this.#newDelayBased(startBps);
      this.#target = this.#newTarget(startBps);
      this.#published = { rateBps: startBps, pushedBps: startBps };
      probes.push(...this.#probes.start(startBps, constraints.maxBps, nowMs));
    } else {
      probes.push(...this.#probes.setAllocated(constraints.maxBps, nowMs));
    }
    this.#delay.setMinBps(minBps);
    this.#target.setMinBps(minBps);
    this.#publish(probes, nowMs);
    return this.#decide(probes);
  }

  onPacketSent(packet: SentPacket): Decision {
    const sentMs = this.#rounded(packet.sentMs);
    const probes: Probe[] = [];
    this.#alr.onSent(packet.sizeBytes, sentMs);
    this.#target.onSent(sentMs);
    if (this.#pushback !== undefined) {
      this.#pushback.setInFlight(packet.inFlightBytes);
      this.#publish(probes, packet.sentMs);
    }
    return this.#decide(probes);
  }

  onFeedback(feedback: Feedback): Decision {
    if (feedback.packets.length === 0) return {};
    const nowMs = feedback.arrivedMs;
    this.#updateResolution(feedback.packets);
    const packets = feedback.packets.map(
      (packet): PacketResult => ({
        ...packet,
        sentMs: this.#rounded(packet.sentMs),
        receivedMs: packet.receivedMs === null ? null : this.#rounded(packet.receivedMs),
      }),
    );
    const received = packets
      .filter((packet): packet is Received => packet.receivedMs !== null)
      .sort((a, b) => a.receivedMs - b.receivedMs || a.sentMs - b.sentMs || a.sequence - b.sequence);
    this.#sawFeedback = true;
    this.#pushback?.setInFlight(feedback.inFlightBytes);
    this.#updateRtts(received, feedback);
    const inAlr = this.#alr.startMs !== undefined;
    if (this.#wasInAlr && !inAlr) this.#probes.setAlrEnd(nowMs);
    this.#wasInAlr = inAlr;

    this.#acked.add(received);
    const ackedBps = this.#acked.rateBps;
    if (ackedBps !== undefined) this.#target.setAckedBps(ackedBps);
    const probed = this.#probeResults(received);
    const probedBps = this.#probedBps(probed, ackedBps);
    const delay = this.#delay.onFeedback(received, ackedBps, probedBps, nowMs);
    if (delay.fromProbe) this.#target.setProbed(delay.rateBps, nowMs);
    if (delay.updated) this.#target.setDelayBased(delay.rateBps);
    this.#target.onLosses(
      packets.map(({ sequence, sentMs, sizeBytes, receivedMs }) => ({
        sequence,
        sentMs,
        sizeBytes,
        received: receivedMs !== null,
      })),
      inAlr,
      nowMs,
    );

    const probes: Probe[] = [];
    if (delay.updated) this.#publish(probes, nowMs);
    if (delay.recovered) {
      this.#probes.setAlrStart(this.#alr.startMs);
      probes.push(...this.#probes.onRecovered(nowMs));
    }
    this.#pushback?.updateWindow(this.#published.rateBps);
    const decision = this.#decide(probes);
    return probed.length === 0 ? decision : { ...decision, probed };
  }

  onRoundTrip(rttMs: number): void {
    if (rttMs <= 0) return;
    this.#rttMs = rttMs;
    this.#delay.setRttMs(rttMs);
    this.#target.setRttMs(rttMs);
  }

  onLossReport(lostPackets: number, expectedPackets: number, nowMs: number): void {
    this.#target.onLossReport(lostPackets, expectedPackets, nowMs);
  }

  onTick(nowMs: number): Decision {
    const probes: Probe[] = [];
    this.#target.update(nowMs);
    this.#probes.setAlrStart(this.#sawFeedback ? this.#alr.startMs : undefined);
    probes.push(...this.#probes.onTick(nowMs));
    this.#pushback?.updateWindow(this.#published.rateBps);
    this.#publish(probes, nowMs);
    return this.#decide(probes);
  }

  trace(): Trace {
    return {
      targetBps: this.#targetBps(),
      estimateBps: this.#published.rateBps,
      delayBasedBps: this.#delay.rateBps,
      ackedBps: this.#acked.rateBps ?? 0,
      linkCapacityBps: this.#delay.linkCapacityBps ?? 0,
      pacingBps: this.#pacingBps(),
      paddingBps: this.#paddingBps(),
      windowBytes: this.#pushback?.windowBytes ?? 0,
      trendMs: this.#delay.modifiedTrendMs,
      thresholdMs: this.#delay.thresholdMs,
      rttMs: this.#rttMs,
      lossRatio: this.#target.lossRatio,
      modelLossRatio: this.#target.modelLossRatio,
      inherentLossRatio: this.#target.inherentLossRatio,
      pushbackRatio: this.#published.pushedBps / this.#published.rateBps,
      inAlr: this.#alr.startMs === undefined ? 0 : 1,
      usage: this.#delay.usage,
      rateState: this.#delay.rateState,
      lossState: this.#target.lossState,
      probeState: this.#probes.state,
    };
  }

  #newDelayBased(startBps: number): DelayBasedEstimate {
    return new DelayBasedEstimate({
      startBps,
      backoffRatio: this.#params.backoff,
      windowSamples: this.#params.trendWindow,
    });
  }

  #newTarget(startBps: number): TargetRate {
    return new TargetRate(startBps, this.#params.loss === 'model');
  }

  /**
   * Sets the resolution of times by the feedback format, which ECN reveals: only RFC 8888 reports ECN, and libwebrtc
   * does not round its times.
   */
  #updateResolution(packets: readonly PacketResult[]): void {
    const received = packets.find(packet => packet.receivedMs !== null);
    if (received !== undefined && this.#params.timestampResolution === undefined)
      this.#resolutionMs = received.ecn === undefined ? transportResolutionMs : 0;
  }

  #rounded(timeMs: number): number {
    const stepMs = this.#resolutionMs;
    return stepMs === 0 ? timeMs : Math.floor(timeMs / stepMs) * stepMs;
  }

  /**
   * Updates the two round trips of the report. Feedback round trip: time from sending a packet to the arrival of its
   * feedback. Propagation round trip: the same time, less the time for which the receiver held the report's newest
   * packet.
   */
  #updateRtts(received: readonly Received[], { arrivedMs, rttMs }: Feedback): void {
    const newest = received.at(-1);
    let longestMs = 0;
    let propagationMs = Infinity;
    for (const { sentMs, receivedMs } of received) {
      longestMs = Math.max(longestMs, arrivedMs - sentMs);
      propagationMs = Math.min(propagationMs, arrivedMs - sentMs - (newest!.receivedMs - receivedMs));
    }
    if (newest !== undefined) {
      this.#pushback?.addRtt(longestMs);
      this.#target.onPropagationRtt(propagationMs, arrivedMs);
    }
    if (rttMs !== undefined) this.onRoundTrip(rttMs);
  }

  /** Adds probe packets to their clusters; returns the results of the clusters that now have enough packets. */
  #probeResults(received: readonly Received[]): ProbeResult[] {
    return received.flatMap(({ probe, sentMs, receivedMs, sizeBytes }) => {
      const rateBps =
        probe === undefined ? undefined : this.#probeEstimator.add({ probe, sentMs, receivedMs, sizeBytes });
      return rateBps === undefined ? [] : [{ id: probe!, rateBps }];
    });
  }

  /**
   * Returns the newest of the results, raised if it would lower the rate far below the acked bitrate; undefined without
   * results.
   */
  #probedBps(results: readonly ProbeResult[], ackedBps: number | undefined): number | undefined {
    const probedBps = results.at(-1)?.rateBps;
    if (probedBps === undefined || ackedBps === undefined) return probedBps;
    return Math.max(probedBps, Math.min(this.#delay.rateBps, probeDropRatio * ackedBps));
  }

  /**
   * Passes a changed state to prober, ALR detector and pacer. Every call changes the pushback ratio, also without a
   * change of state.
   */
  #publish(probes: Probe[], nowMs: number): void {
    const rateBps = this.#target.rateBps;
    const pushedBps = Math.max(
      Math.max(this.#constraints.minBps, lowestBps),
      this.#pushback?.apply(rateBps) ?? rateBps,
    );
    const { lossState, lossRatio } = this.#target;
    const before = this.#published;
    if (
      rateBps === before.rateBps &&
      pushedBps === before.pushedBps &&
      lossState === before.lossState &&
      lossRatio === before.lossRatio &&
      this.#rttMs === before.rttMs
    )
      return;
    this.#published = { rateBps, pushedBps, lossState, lossRatio, rttMs: this.#rttMs };
    this.#alr.setEstimate(rateBps);
    probes.push(...this.#probes.setEstimate(rateBps, this.#limit(), nowMs));
  }

  #limit(): RateLimit {
    if (this.#delay.usage !== 'normal') return 'delay-changing';
    if (this.#target.isRttAboveLimit) return 'rtt';
    return this.#target.lossState === 'delay-based' ? 'delay-based' : 'loss';
  }

  #targetBps(): number {
    const rateBps = this.#params.pushback === 'lower-target' ? this.#published.pushedBps : this.#published.rateBps;
    return Math.max(Math.min(Math.round(rateBps), this.#constraints.maxBps), this.#constraints.minBps);
  }

  #pacingBps(): number {
    const factor = this.#sawFeedback ? this.#params.pacingFactor : firstPacingFactor;
    return Math.round(Math.max(this.#constraints.minBps, this.#published.rateBps) * factor);
  }

  #paddingBps(): number {
    const { rateBps, pushedBps } = this.#published;
    const wantedBps =
      this.#target.lossState === 'increasing' ? Math.max(this.#params.maxPadding, rateBps) : this.#params.maxPadding;
    return Math.round(Math.min(wantedBps, pushedBps));
  }

  #frameDropRatio(): number {
    const { rateBps, pushedBps } = this.#published;
    return this.#params.pushback === 'drop-frames' && pushedBps < rateBps ? 1 - pushedBps / rateBps : 0;
  }

  /** Returns the fields whose values have changed since the last decision. */
  #decide(wanted: readonly Probe[]): Decision {
    const now = {
      targetBps: this.#targetBps(),
      pacingBps: this.#pacingBps(),
      paddingBps: this.#paddingBps(),
      frameDropRatio: this.#frameDropRatio(),
    };
    const decision: Decision = {};
    if (now.targetBps !== this.#last.targetBps) decision.targetBps = now.targetBps;
    if (now.pacingBps !== this.#last.pacingBps) decision.pacingBps = now.pacingBps;
    if (now.paddingBps !== this.#last.paddingBps) decision.paddingBps = now.paddingBps;
    if (now.frameDropRatio !== this.#last.frameDropRatio) decision.frameDropRatio = now.frameDropRatio;
    this.#last = now;
    if (this.#params.probing === 'off' || wanted.length === 0) return decision;
    for (const probe of wanted) this.#probeEstimator.announce(probe);
    return { ...decision, probes: [...wanted] };
  }
}
