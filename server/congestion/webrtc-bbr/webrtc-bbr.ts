/**
 * WebRTC's BBR of 2018. Processes a feedback message in the same order as libwebrtc.
 *
 * Source: libwebrtc 2018-06 (968b1dd0d7), bbr/bbr_network_controller.cc; Drucker et al., section VII. Deviations:
 * README.md.
 */
import type { Constraints, Controller, Decision, Feedback, PacketResult, SentPacket, Trace } from '../controller.ts';
import { AckAggregation } from './ack-aggregation.ts';
import { AppLimit } from './app-limit.ts';
import { Bandwidth } from './bandwidth.ts';
import { BandwidthSampler } from './bandwidth-sampler.ts';
import { CongestionWindow, targetWindowBytes, type WindowOptions } from './congestion-window.ts';
import { FullBandwidth } from './full-bandwidth.ts';
import { GainCycle } from './gain-cycle.ts';
import { MinRtt } from './min-rtt.ts';
import { PacingRate, startupGain } from './pacing-rate.ts';
import { variantOf, type WebrtcBbrParams } from './params.ts';
import { ProbeRtt } from './probe-rtt.ts';
import { Recovery } from './recovery.ts';
import { Rounds } from './rounds.ts';

/** Gain of the congestion window in PROBE_BW (kProbeBWCongestionWindowGain). Other modes use the gain of STARTUP. */
const cycleWindowGain = 2;
/** Constraints until the first call of `onConstraints` (kInitialBandwidthKbps). */
const firstConstraints: Constraints = { minBps: 1, startBps: 300e3, maxBps: Infinity };

type Mode = 'startup' | 'drain' | 'probe-bw' | 'probe-rtt';

export class WebrtcBbr implements Controller {
  readonly #params: WebrtcBbrParams;
  readonly #variant: string;
  readonly #windowOptions: WindowOptions;
  readonly #sampler = new BandwidthSampler();
  readonly #rounds = new Rounds();
  readonly #appLimit = new AppLimit();
  readonly #probeRtt = new ProbeRtt();
  readonly #bandwidth: Bandwidth;
  readonly #minRtt: MinRtt;
  readonly #fullBandwidth: FullBandwidth;
  readonly #cycle: GainCycle;
  readonly #recovery: Recovery;
  readonly #aggregation: AckAggregation;
  readonly #window: CongestionWindow;
  readonly #pacing: PacingRate;
  #constraints = firstConstraints;
  /** Target rate while the bandwidth is unknown. */
  #startBps: number | undefined;
  #mode: Mode = 'startup';
  #windowGain = startupGain;
  #inFlightBytes = 0;
  /**
   * True from the first packet after a pause in an application-limited phase until the next acknowledgement. If the
   * minimum round trip expires at this acknowledgement, no probe follows.
   */
  #leavesQuiescence = false;
  #rttProbes = 0;
  #last: Decision = {};

  constructor(params: WebrtcBbrParams) {
    this.#params = params;
    this.#variant = variantOf(params);
    this.#windowOptions = {
      initialBytes: params.initialWindow,
      minBytes: params.minWindow,
      maxBytes: params.maxWindow,
    };
    this.#bandwidth = new Bandwidth(params.bandwidth, params.filter);
    this.#minRtt = new MinRtt({
      expiryMs: params.minRttExpiry,
      similar: params.similarRtt,
      skipIfAppLimited: params.probeRttIfAppLimited === 'skip',
    });
    this.#fullBandwidth = new FullBandwidth({ rounds: params.startupRounds, exitOnLoss: params.exitStartupOnLoss });
    this.#cycle = new GainCycle(params.probeGain, params.cycleSeed);
    this.#recovery = new Recovery({
      isOn: params.recovery === 'on',
      startupState: params.startupRecovery,
      minWindowBytes: params.minWindow,
    });
    this.#aggregation = new AckAggregation(params.filter);
    this.#window = new CongestionWindow(this.#windowOptions);
    this.#pacing = new PacingRate(params.initialWindow);
  }

  onConstraints(constraints: Constraints, _nowMs: number): Decision {
    this.#constraints = constraints;
    this.#startBps ??= constraints.startBps;
    return this.#decide();
  }

  onPacketSent({ sequence, sentMs, sizeBytes, inFlightBytes }: SentPacket): Decision {
    this.#rounds.onSent(sequence);
    const startsFlight = this.#params.newFlight === 'restart' && inFlightBytes <= sizeBytes;
    if (
      this.#params.appLimit === 'inferred' &&
      this.#appLimit.onSent(sentMs, sizeBytes, this.#pacingBps(), inFlightBytes >= this.#windowBytes())
    ) {
      this.#minRtt.onAppLimited();
      this.#sampler.onAppLimited();
    }
    if (startsFlight && this.#sampler.isAppLimited) this.#leavesQuiescence = true;
    this.#aggregation.onSent(sentMs);
    this.#sampler.onSent(sequence, sentMs, sizeBytes, startsFlight);
    this.#inFlightBytes = inFlightBytes;
    return {};
  }

  onFeedback({ arrivedMs, packets, inFlightBytes }: Feedback): Decision {
    const newest = packets.at(-1);
    if (newest === undefined) return {};
    const priorInFlightBytes = this.#inFlightBytes;
    this.#inFlightBytes = inFlightBytes;
    this.#appLimit.onFeedback(arrivedMs);
    this.#pacing.onRtt(arrivedMs - newest.sentMs);
    const totalBefore = this.#sampler.totalAckedBytes;
    const lost = packets.filter(({ receivedMs }) => receivedMs === null);
    const acked = packets.filter(({ receivedMs }) => receivedMs !== null);
    const hasLosses = lost.length > 0;
    for (const { sequence } of lost) this.#sampler.onLost(sequence);

    const { isRoundStart, isExpired } = this.#onAcked(acked, hasLosses, arrivedMs);
    if (this.#mode === 'probe-bw') {
      this.#cycle.update({
        nowMs: arrivedMs,
        minRttMs: this.#minRtt.ms,
        priorInFlightBytes,
        hasLosses,
        targetBytes: gain => this.#targetBytes(gain),
      });
    }
    if (isRoundStart)
      this.#fullBandwidth.onRound(this.#bandwidth.bps, this.#bandwidth.isAppLimited, this.#recovery.state !== 'none');
    this.#leaveStartupOrDrain(arrivedMs);
    this.#enterOrLeaveProbeRtt(isExpired, isRoundStart, arrivedMs);

    const ackedBytes = this.#sampler.totalAckedBytes - totalBefore;
    this.#pacing.update(this.#bandwidth.bps, this.#pacingGain(), this.#fullBandwidth.isReached);
    this.#updateWindow(ackedBytes);
    this.#recovery.updateWindow(
      ackedBytes,
      lost.reduce((bytes, { sizeBytes }) => bytes + sizeBytes, 0),
      inFlightBytes,
    );
    const lastAcked = acked.at(-1);
    if (lastAcked !== undefined) this.#sampler.forgetBefore(lastAcked.sequence);
    return this.#decide();
  }

  onTick(_nowMs: number): Decision {
    return this.#decide();
  }

  trace(): Trace {
    return {
      targetBps: this.#targetBps(),
      estimateBps: this.#bandwidth.bps,
      pacingBps: this.#pacingBps(),
      paddingBps: this.#paddingBps(),
      windowBytes: this.#windowBytes(),
      minRttMs: this.#minRtt.ms,
      pacingGain: this.#pacingGain(),
      roundCount: this.#rounds.count,
      probeRttCount: this.#rttProbes,
      skippedProbeRttCount: this.#minRtt.renewals,
      isFullBandwidth: this.#fullBandwidth.isReached ? 1 : 0,
      isAppLimited: this.#sampler.isAppLimited ? 1 : 0,
      state: this.#mode,
      recoveryState: this.#recovery.state,
      variant: this.#variant,
    };
  }

  /** Updates rounds, bandwidth, minimum round trip, recovery and ack aggregation with the acknowledged packets. */
  #onAcked(
    acked: readonly PacketResult[],
    hasLosses: boolean,
    nowMs: number,
  ): { isRoundStart: boolean; isExpired: boolean } {
    const newest = acked.at(-1);
    if (newest === undefined) return { isRoundStart: false, isExpired: false };
    const totalBefore = this.#sampler.totalAckedBytes;
    const isRoundStart = this.#rounds.onAcked(newest.sequence);
    let rttMs = Infinity;
    for (const { sequence } of acked) {
      const sample = this.#sampler.onAcked(sequence, nowMs);
      if (sample.rttMs > 0) rttMs = Math.min(rttMs, sample.rttMs);
      this.#bandwidth.add(sample, this.#rounds.count);
    }
    const isExpired = rttMs < Infinity && this.#minRtt.add(rttMs, nowMs);
    const starts = this.#recovery.onReport({
      lastAcked: newest.sequence,
      lastSent: this.#rounds.lastSent,
      hasLosses,
      isRoundStart,
      isStartup: this.#mode === 'startup',
    });
    // The first state of recovery must last a whole round.
    if (starts) this.#rounds.extend();
    this.#aggregation.onAcked(
      this.#sampler.totalAckedBytes - totalBefore,
      this.#bandwidth.bps,
      this.#rounds.count,
      nowMs,
    );
    return { isRoundStart, isExpired };
  }

  #leaveStartupOrDrain(nowMs: number): void {
    const isRttTooHigh = this.#minRtt.riseMs > (this.#params.exitStartupRtt ?? Infinity);
    if (this.#mode === 'startup' && (this.#fullBandwidth.isReached || isRttTooHigh)) this.#mode = 'drain';
    if (this.#mode === 'drain' && this.#inFlightBytes <= this.#targetBytes(1)) this.#startCycle(nowMs);
  }

  #enterOrLeaveProbeRtt(isExpired: boolean, isRoundStart: boolean, nowMs: number): void {
    if (isExpired && !this.#leavesQuiescence && this.#mode !== 'probe-rtt') {
      this.#mode = 'probe-rtt';
      this.#probeRtt.start();
      this.#rttProbes++;
    }
    this.#leavesQuiescence = false;
    if (this.#mode !== 'probe-rtt') return;
    // The small window limits the delivery rate, so samples do not show the bandwidth.
    this.#sampler.onAppLimited();
    if (
      !this.#probeRtt.update({
        nowMs,
        inFlightBytes: this.#inFlightBytes,
        windowBytes: this.#windowBytes(),
        isRoundStart,
      })
    )
      return;
    this.#minRtt.onProbed(nowMs);
    if (this.#fullBandwidth.isReached) this.#startCycle(nowMs);
    else this.#startStartup();
  }

  #startStartup(): void {
    this.#mode = 'startup';
    this.#windowGain = startupGain;
  }

  #startCycle(nowMs: number): void {
    this.#mode = 'probe-bw';
    this.#windowGain = cycleWindowGain;
    this.#cycle.start(nowMs);
  }

  #updateWindow(ackedBytes: number): void {
    if (this.#mode === 'probe-rtt') return;
    const isFullBandwidth = this.#fullBandwidth.isReached;
    const targetBytes = this.#targetBytes(this.#windowGain) + (isFullBandwidth ? this.#aggregation.excessBytes : 0);
    this.#window.update({ targetBytes, ackedBytes, totalAckedBytes: this.#sampler.totalAckedBytes, isFullBandwidth });
  }

  #targetBytes(gain: number): number {
    return targetWindowBytes(gain, this.#bandwidth.bps, this.#minRtt.ms, this.#windowOptions);
  }

  #windowBytes(): number {
    if (this.#mode !== 'probe-rtt') return Math.min(this.#window.bytes, this.#recovery.windowBytes);
    return this.#params.probeRttWindow === 'bdp'
      ? this.#targetBytes(this.#params.probeRttGain)
      : this.#params.minWindow;
  }

  #pacingGain(): number {
    if (this.#mode === 'startup') return startupGain;
    if (this.#mode === 'drain') return 1 / startupGain;
    return this.#mode === 'probe-bw' ? this.#cycle.gain : 1;
  }

  #pacingBps(): number {
    const { minBps, maxBps } = this.#constraints;
    const ceilingBps = this.#params.pacingCeiling === 'media' ? maxBps : Infinity;
    return Math.round(Math.max(Math.min(this.#pacing.bps(this.#minRtt.ms), ceilingBps), minBps));
  }

  /** Returns the padding rate. While probing for bandwidth, padding fills up the media to the pacing rate. */
  #paddingBps(): number {
    const isProbing = this.#mode === 'startup' || (this.#mode === 'probe-bw' && this.#cycle.gain > 1);
    return isProbing ? this.#pacingBps() : 0;
  }

  #targetBps(): number {
    const { minBps, maxBps } = this.#constraints;
    const { encoderGain, encoderGainInProbeRtt, target } = this.#params;
    const pacingBps = this.#pacing.bps(this.#minRtt.ms);
    const knownBps = this.#bandwidth.bps > 0 ? this.#bandwidth.bps : (this.#startBps ?? firstConstraints.startBps);
    const gain = this.#mode === 'probe-rtt' ? encoderGainInProbeRtt : encoderGain;
    const wantedBps = Math.min((target === 'pacing' ? pacingBps : knownBps) * gain, pacingBps);
    return Math.round(Math.max(Math.min(wantedBps, maxBps), minBps));
  }

  /** Returns the fields whose values have changed since the last decision. */
  #decide(): Decision {
    const now = {
      targetBps: this.#targetBps(),
      pacingBps: this.#pacingBps(),
      paddingBps: this.#paddingBps(),
      congestionWindowBytes: this.#windowBytes(),
    };
    const last = this.#last;
    this.#last = now;
    return {
      ...(now.targetBps === last.targetBps ? {} : { targetBps: now.targetBps }),
      ...(now.pacingBps === last.pacingBps ? {} : { pacingBps: now.pacingBps }),
      ...(now.paddingBps === last.paddingBps ? {} : { paddingBps: now.paddingBps }),
      ...(now.congestionWindowBytes === last.congestionWindowBytes
        ? {}
        : { congestionWindowBytes: now.congestionWindowBytes }),
    };
  }
}
