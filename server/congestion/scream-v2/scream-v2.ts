/**
 * SCReAMv2, self-clocked rate adaptation for multimedia. A reference window reacts to losses, marks and queue delay,
 * and directly gives the media rate. The bytes in flight may exceed the window.
 *
 * Source: draft-johansson-ccwg-rfc8298bis-screamv2, authors' text of 2025. Deviations: README.md.
 */
import type { Constraints, Controller, Decision, Feedback, PacketResult, SentPacket, Trace } from '../controller.ts';
import { BytesInFlight } from '../shared/bytes-in-flight.ts';
import { firstConstraints } from '../shared/first-constraints.ts';
import { Interval } from '../shared/interval.ts';
import { LossEventRate } from '../shared/loss-event-rate.ts';
import { LostPackets } from '../shared/lost-packets.ts';
import { QueueDelay } from '../shared/queue-delay.ts';
import { QueueDelayTarget } from '../shared/queue-delay-target.ts';
import { SmoothedRtt } from '../shared/smoothed-rtt.ts';
import { AverageQueueDelay } from './average-queue-delay.ts';
import { FlightMaxima } from './flight-maxima.ts';
import { L4sAlpha } from './l4s-alpha.ts';
import { mediaRateBps } from './media-rate.ts';
import { l4sBurstMs, pacingRateBps, sendWindowBytes } from './pacing.ts';
import type { ScreamV2Params } from './params.ts';
import { ReferenceWindow } from './reference-window.ts';
import { virtualMarks } from './virtual-marks.ts';

/**
 * Time between two samples for the queue delay target, ms. The value is from RFC 8298, section 4.1.2, because the draft
 * has none.
 */
const sampleMs = 50;

export class ScreamV2 implements Controller {
  readonly #params: ScreamV2Params;
  readonly #rtt = new SmoothedRtt();
  readonly #queueDelay = new QueueDelay();
  readonly #averageDelay = new AverageQueueDelay();
  readonly #delayTarget: QueueDelayTarget;
  readonly #lost = new LostPackets();
  readonly #lossEvents = new LossEventRate();
  readonly #alpha = new L4sAlpha();
  readonly #inFlight = new BytesInFlight();
  readonly #maxima = new FlightMaxima();
  readonly #window: ReferenceWindow;
  readonly #samples = new Interval(sampleMs);
  #constraints = firstConstraints;
  /** Target rate before it is clamped to the constraints. */
  #rateBps = firstConstraints.startBps;

  constructor(params: ScreamV2Params) {
    this.#params = params;
    this.#delayTarget = new QueueDelayTarget(params.queueDelayTarget, params.maxQueueDelayTarget);
    this.#window = new ReferenceWindow(params);
  }

  /** Sets the constraints. Before the first round trip is known, the target is the start rate. */
  onConstraints(constraints: Constraints): Decision {
    this.#constraints = constraints;
    if (this.#rtt.ms === undefined) this.#rateBps = constraints.startBps;
    return this.#decide();
  }

  onPacketSent({ inFlightBytes }: SentPacket): Decision {
    this.#inFlight.onSent(inFlightBytes);
    this.#maxima.onSent(inFlightBytes);
    return {};
  }

  onFeedback({ arrivedMs, packets, inFlightBytes }: Feedback): Decision {
    if (packets.length === 0) return {};
    const newest = packets.findLast(({ receivedMs }) => receivedMs !== null);
    if (newest !== undefined) {
      this.#rtt.update(arrivedMs - newest.sentMs);
      this.#queueDelay.update(newest.sentMs, newest.receivedMs!, arrivedMs);
    }
    const inFlightRatio = this.#inFlight.bytes / this.#window.bytes;
    const ackedBytes = this.#inFlight.onFeedback(inFlightBytes);
    const rttMs = this.#rtt.ms;
    if (rttMs === undefined) return {};
    this.#averageDelay.update(this.#queueDelay.delayMs, rttMs, arrivedMs);
    this.#updateWindow(packets, ackedBytes, rttMs, arrivedMs);
    this.#maxima.update(inFlightBytes, rttMs, arrivedMs);
    this.#rateBps = mediaRateBps({
      windowBytes: this.#window.bytes,
      segmentRatio: this.#window.segmentRatio,
      rttMs,
      inFlightRatio,
      queueDelayMs: this.#queueDelay.delayMs,
      queueDelayTargetMs: this.#delayTarget.targetMs,
    });
    return this.#decide();
  }

  onTick(nowMs: number): Decision {
    const isDue = this.#rtt.ms !== undefined && this.#samples.over(nowMs) !== undefined;
    if (isDue && this.#params.competingFlows === 'compensate')
      this.#delayTarget.update(this.#queueDelay.delayMs, this.#lossEvents.ratio);
    return {};
  }

  trace(): Trace {
    return {
      targetBps: this.#targetBps(),
      pacingBps: pacingRateBps(this.#targetBps()),
      windowBytes: this.#window.bytes,
      flightBytes: this.#inFlight.bytes,
      rttMs: this.#rtt.ms ?? 0,
      queueDelayMs: this.#queueDelay.delayMs,
      averageQueueDelayMs: this.#averageDelay.averageMs,
      queueDelayTargetMs: this.#delayTarget.targetMs,
      markedRatio: this.#alpha.alpha,
      lossEventRatio: this.#lossEvents.ratio,
      reorderingMs: this.#lost.reorderingMs,
    };
  }

  #updateWindow(packets: readonly PacketResult[], ackedBytes: number, rttMs: number, nowMs: number): void {
    const received = packets.filter(({ receivedMs }) => receivedMs !== null);
    const marked = received.filter(({ ecn }) => ecn === 'ce');
    const markedBytes = marked.reduce((bytes, { sizeBytes }) => bytes + sizeBytes, 0);
    const lostPackets = this.#lost.onFeedback(packets, rttMs, nowMs);
    this.#lossEvents.update(lostPackets > 0, rttMs, nowMs);
    this.#alpha.update(received.length, marked.length, rttMs, nowMs);
    const delay = {
      queueDelayMs: this.#queueDelay.delayMs,
      averageQueueDelayMs: this.#averageDelay.averageMs,
      queueDelayTargetMs: this.#delayTarget.targetMs,
      l4sAlpha: this.#alpha.alpha,
      rttMs,
    };
    this.#window.onFeedback(
      {
        ...delay,
        sawLoss: lostPackets > 0,
        sawMark: marked.length > 0,
        virtualMarks: virtualMarks({ ...delay, targetBps: this.#targetBps() }),
        ackedBytes: Math.max(0, ackedBytes - markedBytes),
        previousFlightBytes: this.#maxima.previousBytes,
        flightBytes: this.#maxima.bytes,
        isAtMaximum: this.#targetBps() >= this.#constraints.maxBps,
      },
      nowMs,
    );
  }

  #targetBps(): number {
    return Math.min(this.#constraints.maxBps, Math.max(this.#constraints.minBps, this.#rateBps));
  }

  #decide(): Decision {
    const targetBps = this.#targetBps();
    return {
      targetBps,
      pacingBps: pacingRateBps(targetBps),
      paddingBps: 0,
      ...(this.#params.ecn === 'l4s' && { burstMs: l4sBurstMs }),
      congestionWindowBytes: sendWindowBytes(this.#window.bytes),
    };
  }
}
