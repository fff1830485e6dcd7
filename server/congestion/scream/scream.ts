/**
 * SCReAM, self-clocked rate adaptation for multimedia: a congestion window that follows the queue delay, and a media
 * rate that follows the throughput of the window.
 *
 * Source: RFC 8298, section 4.1. Deviations: README.md.
 */
import type { Constraints, Controller, Decision, Feedback, SentPacket, Trace } from '../controller.ts';
import { BytesInFlight } from '../shared/bytes-in-flight.ts';
import { firstConstraints } from '../shared/first-constraints.ts';
import { Interval } from '../shared/interval.ts';
import { LossEventRate } from '../shared/loss-event-rate.ts';
import { LostPackets } from '../shared/lost-packets.ts';
import { QueueDelay } from '../shared/queue-delay.ts';
import { QueueDelayTarget } from '../shared/queue-delay-target.ts';
import { SmoothedRtt } from '../shared/smoothed-rtt.ts';
import { CongestionEvents } from './congestion-events.ts';
import { CongestionWindow } from './congestion-window.ts';
import { adjustIntervalMs, MediaRate } from './media-rate.ts';
import { pacingRateBps } from './pacing.ts';
import type { ScreamParams } from './params.ts';
import { QueueTrend } from './queue-trend.ts';
import { Rates } from './rates.ts';

/** Time between two samples of the queue delay (RFC 8298, section 4.1.2), ms. */
const sampleMs = 50;

export class Scream implements Controller {
  readonly #params: ScreamParams;
  readonly #rtt = new SmoothedRtt();
  readonly #queueDelay = new QueueDelay();
  readonly #delayTarget: QueueDelayTarget;
  readonly #trend = new QueueTrend();
  readonly #lost = new LostPackets();
  readonly #lossEvents = new LossEventRate();
  readonly #events = new CongestionEvents();
  readonly #inFlight = new BytesInFlight();
  readonly #window: CongestionWindow;
  readonly #rates = new Rates();
  readonly #samples = new Interval(sampleMs);
  readonly #adjustments = new Interval(adjustIntervalMs);
  #media: MediaRate;
  #constraints = firstConstraints;
  #started = false;
  /** Smallest number of bytes in the pacer since the last adjustment of the rate. */
  #leastQueuedBytes = Infinity;

  constructor(params: ScreamParams) {
    this.#params = params;
    this.#delayTarget = new QueueDelayTarget(params.queueDelayTarget, params.maxQueueDelayTarget);
    this.#window = new CongestionWindow(params);
    this.#media = this.#newMediaRate(firstConstraints);
  }

  onConstraints(constraints: Constraints): Decision {
    this.#constraints = constraints;
    if (this.#started) this.#media.setLimits(constraints.minBps, constraints.maxBps);
    else this.#media = this.#newMediaRate(constraints);
    this.#started = true;
    return this.#decide();
  }

  onPacketSent({ sentMs, sizeBytes, kind, inFlightBytes }: SentPacket): Decision {
    this.#inFlight.onSent(inFlightBytes);
    this.#window.onSent(inFlightBytes, sentMs);
    this.#rates.onSent(sizeBytes, kind === 'media');
    return {};
  }

  onFeedback({ arrivedMs, packets, inFlightBytes }: Feedback): Decision {
    if (packets.length === 0) return {};
    const newest = packets.findLast(({ receivedMs }) => receivedMs !== null);
    if (newest !== undefined) {
      this.#rtt.update(arrivedMs - newest.sentMs);
      this.#queueDelay.update(newest.sentMs, newest.receivedMs!, arrivedMs);
    }
    const ackedBytes = this.#inFlight.onFeedback(inFlightBytes);
    this.#rates.onAcked(ackedBytes);
    const rttMs = this.#rtt.ms;
    if (rttMs === undefined) return {};
    const lostPackets = this.#lost.onFeedback(packets, rttMs, arrivedMs);
    this.#lossEvents.update(lostPackets > 0, rttMs, arrivedMs);
    const event = this.#events.onFeedback(
      lostPackets,
      packets.filter(({ ecn }) => ecn === 'ce').length,
      rttMs,
      arrivedMs,
    );
    if (event !== undefined) {
      this.#window.onCongestion(event);
      this.#media.onCongestion(event);
    } else {
      this.#acknowledge(ackedBytes, arrivedMs);
    }
    return this.#decide();
  }

  onTick(nowMs: number, queuedBytes = 0): Decision {
    this.#leastQueuedBytes = Math.min(this.#leastQueuedBytes, queuedBytes);
    if (this.#rtt.ms !== undefined && this.#samples.over(nowMs) !== undefined) this.#sample();
    const elapsedMs = this.#adjustments.over(nowMs);
    if (elapsedMs === undefined) return {};
    this.#rates.update(elapsedMs, queuedBytes);
    this.#adjust();
    return this.#decide();
  }

  trace(): Trace {
    return {
      targetBps: this.#media.targetBps,
      pacingBps: this.#pacingBps(),
      windowBytes: this.#window.bytes,
      flightBytes: this.#inFlight.bytes,
      rttMs: this.#rtt.ms ?? 0,
      queueDelayMs: this.#queueDelay.delayMs,
      queueDelayTargetMs: this.#delayTarget.targetMs,
      queueTrendRatio: this.#trend.trend,
      queueTrendMemoryRatio: this.#trend.memory,
      transmitBps: this.#rates.transmitBps,
      ackedBps: this.#rates.ackBps,
      mediaBps: this.#rates.mediaBps,
      lossEventRatio: this.#lossEvents.ratio,
      reorderingMs: this.#lost.reorderingMs,
      inFastIncrease: this.#window.inFastIncrease ? 1 : 0,
    };
  }

  #newMediaRate({ startBps, minBps, maxBps }: Constraints): MediaRate {
    return new MediaRate(this.#params, startBps, minBps, maxBps);
  }

  #acknowledge(ackedBytes: number, nowMs: number): void {
    const wasFast = this.#window.inFastIncrease;
    this.#window.onAcknowledgement(
      {
        ackedBytes,
        inFlightBytes: this.#inFlight.bytes,
        queueDelayMs: this.#queueDelay.delayMs,
        queueDelayTargetMs: this.#delayTarget.targetMs,
        trend: this.#trend.trend,
      },
      nowMs,
    );
    if (wasFast && !this.#window.inFastIncrease) this.#media.markCongestion();
  }

  #sample(): void {
    const { delayMs } = this.#queueDelay;
    this.#trend.add(delayMs / this.#delayTarget.targetMs);
    if (this.#params.competingFlows === 'compensate') this.#delayTarget.update(delayMs, this.#lossEvents.ratio);
  }

  #adjust(): void {
    this.#media.adjust({
      inFastIncrease: this.#window.inFastIncrease,
      trend: this.#trend.trend,
      trendMemory: this.#trend.memory,
      currentBps: this.#rates.currentBps,
      mediaBps: Math.max(this.#rates.mediaBps, this.#rates.mediaMedianBps),
      queuedBytes: this.#leastQueuedBytes,
    });
    this.#leastQueuedBytes = Infinity;
  }

  /** Returns the pacing rate; before the first round trip is known, the start rate. */
  #pacingBps(): number {
    const rttMs = this.#rtt.ms;
    return rttMs === undefined ? this.#constraints.startBps : pacingRateBps(this.#window.bytes, rttMs);
  }

  #decide(): Decision {
    return {
      targetBps: this.#media.targetBps,
      pacingBps: this.#pacingBps(),
      paddingBps: 0,
      congestionWindowBytes: this.#window.sendWindowBytes(this.#queueDelay.delayMs, this.#delayTarget.targetMs),
    };
  }
}
