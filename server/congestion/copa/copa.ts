/**
 * Copa: the window moves towards the rate 1 / (delta x queue delay), in packets per second. The encoder gets the rate
 * window / standing round trip.
 *
 * Source: NSDI 2018, section 2. README.md lists deviations, and what the paper leaves open for media.
 */
import type { Constraints, Controller, Decision, Feedback, PacketResult, SentPacket, Trace } from '../controller.ts';
import { firstConstraints } from '../shared/first-constraints.ts';
import { NofeedbackTimer } from '../shared/nofeedback-timer.ts';
import { HeavyLoss } from './heavy-loss.ts';
import { Mode } from './mode.ts';
import type { CopaParams } from './params.ts';
import { RoundTrips } from './round-trips.ts';
import { Velocity } from './velocity.ts';

/** Size of the packet in which the paper counts windows and rates, bytes: the largest media packet. */
const packetBytes = 1200;
const packetBits = 8 * packetBytes;
/** Factor of the window after heavy losses (genericCC). */
const heavyLossFactor = 0.7;
/**
 * Share of the in-flight limit. The window may grow only if the bytes in flight have reached this share (RFC 7661,
 * 4.1).
 */
const usedRatio = 0.5;

type Received = PacketResult & { receivedMs: number };

export class Copa implements Controller {
  readonly #params: CopaParams;
  readonly #roundTrips: RoundTrips;
  readonly #mode: Mode;
  readonly #heavyLoss = new HeavyLoss();
  readonly #silence = new NofeedbackTimer();
  #velocity = new Velocity();
  #constraints = firstConstraints;
  #targetBps = 0;
  /** Window in packets. undefined before the first report, because a window needs a round trip. */
  #windowPackets: number | undefined;
  #isSlowStart = true;
  #doubledMs = -Infinity;
  #maxInFlightBytes = 0;
  #last: { targetBps?: number; congestionWindowBytes?: number } = {};

  constructor(params: CopaParams) {
    this.#params = params;
    this.#roundTrips = new RoundTrips({
      minRttWindowMs: params.minRttWindow,
      standingWindowMs: params.standingWindow,
      nearlyEmptyRatio: params.nearlyEmpty,
    });
    this.#mode = new Mode(params.delta, params.competitive === 'auto');
  }

  onConstraints(constraints: Constraints): Decision {
    this.#constraints = constraints;
    if (this.#targetBps === 0) this.#targetBps = constraints.startBps;
    this.#setRate(this.#targetBps);
    return this.#decide();
  }

  onPacketSent({ sentMs, inFlightBytes }: SentPacket): Decision {
    this.#silence.onSent(sentMs);
    this.#maxInFlightBytes = Math.max(this.#maxInFlightBytes, inFlightBytes);
    return {};
  }

  onFeedback({ arrivedMs, packets, inFlightBytes }: Feedback): Decision {
    if (packets.length === 0) return {};
    const received = packets
      .filter((packet): packet is Received => packet.receivedMs !== null)
      .sort((a, b) => a.receivedMs - b.receivedMs);
    if (received.length > 0) this.#roundTrips.add(received, arrivedMs);
    const { loopMs } = this.#roundTrips;
    this.#silence.onFeedback(arrivedMs, loopMs === 0 ? undefined : loopMs, inFlightBytes);
    const lost = packets.length - received.length;
    const isHeavy =
      this.#heavyLoss.update(packets.length, lost, arrivedMs, loopMs) && this.#params.heavyLoss === 'reduce';
    if (loopMs === 0) return {};
    if (!this.#isSlowStart) this.#mode.update(this.#roundTrips.isNearlyEmpty, lost > 0, arrivedMs, loopMs);
    const ackedBytes = received.reduce((bytes, { sizeBytes }) => bytes + sizeBytes, 0);
    this.#windowPackets ??= (this.#targetBps * this.#roundTrips.standingMs) / 1000 / packetBits;
    if (received.length > 0)
      this.#windowPackets = this.#moved(this.#windowPackets, ackedBytes / packetBytes, arrivedMs);
    if (isHeavy) this.#windowPackets *= heavyLossFactor;
    this.#maxInFlightBytes = inFlightBytes;
    this.#setRate((this.#windowPackets * packetBits * 1000) / this.#roundTrips.standingMs);
    return this.#decide();
  }

  onTick(nowMs: number): Decision {
    if (!this.#silence.expires(nowMs)) return {};
    this.#isSlowStart = false;
    this.#setRate(this.#targetBps / 2);
    return this.#decide();
  }

  trace(): Trace {
    const { minMs, standingMs, loopMs } = this.#roundTrips;
    return {
      targetBps: this.#targetBps,
      pacingBps: this.#pacingBps(),
      queueTargetBps: Math.min(this.#queueTargetBps(), this.#constraints.maxBps),
      windowPackets: this.#windowPackets ?? 0,
      minRttMs: minMs,
      standingRttMs: standingMs,
      loopMs,
      inverseDeltaPackets: 1 / this.#mode.delta,
      velocityGain: this.#velocity.value,
      mode: this.#isSlowStart ? 'slow-start' : this.#mode.isCompetitive ? 'competitive' : 'default',
    };
  }

  /**
   * Returns the rate that the standing queue allows, one packet per delta x queue delay; Infinity without a standing
   * queue.
   */
  #queueTargetBps(): number {
    const queueMs = this.#roundTrips.standingMs - this.#roundTrips.minMs;
    return queueMs <= 0 ? Infinity : (packetBits * 1000) / (this.#mode.delta * queueMs);
  }

  /** Returns the new window in packets, after a report that acknowledges `ackedPackets` packets. */
  #moved(windowPackets: number, ackedPackets: number, nowMs: number): number {
    const { standingMs, loopMs } = this.#roundTrips;
    const rateBps = (windowPackets * packetBits * 1000) / standingMs;
    const wanted = rateBps <= this.#queueTargetBps() ? 'up' : 'down';
    const mayGrow = this.#maxInFlightBytes >= usedRatio * this.#inFlightLimitBytes();
    if (this.#isSlowStart && wanted === 'up') {
      if (!mayGrow || nowMs - this.#doubledMs < loopMs) return windowPackets;
      this.#doubledMs = nowMs;
      return 2 * windowPackets;
    }
    this.#isSlowStart = false;
    this.#velocity.update(wanted, windowPackets, this.#mode.delta, nowMs, loopMs);
    // With a step of velocity / (delta x window) per packet, the window changes by velocity / delta packets per loop.
    const step = ((this.#velocity.value / (this.#mode.delta * windowPackets)) * ackedPackets * standingMs) / loopMs;
    if (wanted === 'down') return windowPackets - step;
    return mayGrow ? windowPackets + step : windowPackets;
  }

  /** Sets the target rate, clamped to the constraints, and the window to this rate times the standing round trip. */
  #setRate(rateBps: number): void {
    this.#targetBps = Math.min(Math.max(rateBps, this.#constraints.minBps), this.#constraints.maxBps);
    if (this.#windowPackets !== undefined)
      this.#windowPackets = (this.#targetBps * this.#roundTrips.standingMs) / 1000 / packetBits;
  }

  #pacingBps(): number {
    return this.#targetBps * this.#params.pacingFactor;
  }

  /**
   * Limit for the bytes in flight: the target rate times the sum of the longest recent loop and the standing window, at
   * least two packets; Infinity before the first report.
   */
  #inFlightLimitBytes(): number {
    const { longestLoopMs } = this.#roundTrips;
    if (longestLoopMs === 0) return Infinity;
    return Math.max((this.#targetBps / 8000) * (longestLoopMs + this.#params.standingWindow), 2 * packetBytes);
  }

  #decide(): Decision {
    const now = { targetBps: this.#targetBps, congestionWindowBytes: this.#inFlightLimitBytes() };
    const decision: Decision = {};
    if (now.targetBps !== this.#last.targetBps)
      Object.assign(decision, { targetBps: now.targetBps, pacingBps: this.#pacingBps() });
    if (now.congestionWindowBytes !== this.#last.congestionWindowBytes)
      decision.congestionWindowBytes = now.congestionWindowBytes;
    this.#last = now;
    return decision;
  }
}
