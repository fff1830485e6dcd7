/**
 * NADA, Network-Assisted Dynamic Adaptation. The receiver's part of the algorithm runs at the sender on transport-wide
 * feedback (RFC 8698, section 6.4). This file processes the reports.
 *
 * Source: RFC 8698. Deviations: README.md.
 */
import type { Constraints, Controller, Decision, Feedback, SentPacket, Trace } from '../controller.ts';
import { Interval } from '../shared/interval.ts';
import { NofeedbackTimer } from '../shared/nofeedback-timer.ts';
import { CongestionSignal } from './congestion-signal.ts';
import { type DelaySample, FilteredDelay } from './filtered-delay.ts';
import { LossIntervals } from './loss-intervals.ts';
import { ObservationWindow } from './observation-window.ts';
import type { NadaParams } from './params.ts';
import { type ShapedRates, shapeRates } from './rate-shaping.ts';
import { ReceivingRate } from './receiving-rate.ts';
import { ReferenceRate } from './reference-rate.ts';

/** Constraints until the first call of `onConstraints`, bit/s (RFC 8698, 4.3: 0 and 3 Mbit/s; table 2: 150 kbit/s). */
const firstConstraints: Constraints = { minBps: 150e3, startBps: 150e3, maxBps: 3e6 };

export class Nada implements Controller {
  readonly #params: NadaParams;
  readonly #filteredDelay: FilteredDelay;
  readonly #window: ObservationWindow;
  readonly #receiving: ReceivingRate;
  readonly #losses: LossIntervals;
  readonly #signal: CongestionSignal;
  readonly #silence = new NofeedbackTimer();
  readonly #updates: Interval;
  #rate: ReferenceRate;
  #started = false;
  #delay: DelaySample = { rawMs: 0, filteredMs: 0 };
  #rttMs = 0;
  #mode: 'ramp-up' | 'gradual' = 'ramp-up';
  /** Bytes that wait in the pacer, from the last tick. */
  #queuedBytes = 0;
  #last: Partial<ShapedRates> = {};

  constructor(params: NadaParams) {
    this.#params = params;
    this.#filteredDelay = new FilteredDelay(params.filterSamples);
    this.#updates = new Interval(params.updateInterval);
    this.#window = new ObservationWindow(params.window);
    this.#receiving = new ReceivingRate(params.window);
    this.#losses = new LossIntervals(params.lossInterval === 'tfrc');
    this.#signal = new CongestionSignal(params);
    this.#rate = new ReferenceRate(params, firstConstraints.startBps, firstConstraints);
  }

  onConstraints(constraints: Constraints): Decision {
    if (this.#started) this.#rate.setBounds(constraints);
    else this.#rate = new ReferenceRate(this.#params, constraints.startBps, constraints);
    this.#started = true;
    return this.#decide();
  }

  onPacketSent({ sentMs }: SentPacket): Decision {
    this.#silence.onSent(sentMs);
    return {};
  }

  onFeedback(feedback: Feedback): Decision {
    const { arrivedMs, packets, inFlightBytes } = feedback;
    if (packets.length === 0) return {};
    this.#updateRtt(feedback);
    this.#silence.onFeedback(arrivedMs, this.#rttMs, inFlightBytes);
    this.#observe(feedback);
    const elapsedMs = this.#updates.over(arrivedMs);
    if (elapsedMs === undefined) return {};
    this.#update(elapsedMs);
    return this.#decide();
  }

  onTick(nowMs: number, queuedBytes = 0): Decision {
    this.#queuedBytes = queuedBytes;
    if (this.#silence.expires(nowMs)) this.#rate.halve();
    return this.#decide();
  }

  trace(): Trace {
    return {
      targetBps: this.#shaped().encoderBps,
      pacingBps: this.#shaped().sendingBps,
      referenceBps: this.#rate.rateBps,
      ackedBps: this.#receiving.rateBps,
      queueDelayMs: this.#delay.filteredMs,
      warpedDelayMs: this.#signal.warpedMs,
      signalMs: this.#signal.signalMs,
      lossRatio: this.#signal.lossRatio,
      markRatio: this.#signal.markRatio,
      lossIntervalPackets: this.#losses.averagePackets ?? 0,
      rttMs: this.#rttMs,
      mode: this.#mode,
    };
  }

  /** Updates the round trip: from RTCP reports, else from the packet of the report with the shortest round trip. */
  #updateRtt({ arrivedMs, packets, rttMs }: Feedback): void {
    const shortestMs = packets.reduce(
      (shortest, { sentMs, receivedMs }) => (receivedMs === null ? shortest : Math.min(shortest, arrivedMs - sentMs)),
      Infinity,
    );
    if (rttMs !== undefined) this.#rttMs = rttMs;
    else if (shortestMs < Infinity) this.#rttMs = shortestMs;
  }

  /** Runs the receiver's part of the algorithm for each packet of a report (RFC 8698, 4.2). */
  #observe({ arrivedMs, packets }: Feedback): void {
    this.#window.add(
      packets.map(({ sentMs, receivedMs, ecn }) => {
        this.#losses.add(sentMs, receivedMs === null, this.#rttMs);
        if (receivedMs === null) return { sentMs, delayMs: null, isMarked: false };
        this.#delay = this.#filteredDelay.add(sentMs, receivedMs, arrivedMs);
        return {
          sentMs,
          isMarked: ecn === 'ce',
          delayMs: this.#params.clearDelayOf === 'raw' ? this.#delay.rawMs : this.#delay.filteredMs,
        };
      }),
    );
    this.#receiving.add(
      packets.flatMap(({ receivedMs, sizeBytes }) => (receivedMs === null ? [] : [{ receivedMs, sizeBytes }])),
    );
  }

  /** Runs the sender's part of the algorithm (RFC 8698, 4.3). `elapsedMs`: time since the last update. */
  #update(elapsedMs: number): void {
    const signalMs = this.#signal.update(this.#delay.filteredMs, this.#window, this.#losses);
    this.#mode = this.#window.isClear(this.#params.clearDelay) ? 'ramp-up' : 'gradual';
    if (this.#mode === 'ramp-up') this.#rate.rampUp(this.#receiving.rateBps, this.#rttMs, signalMs);
    else this.#rate.update(signalMs, elapsedMs);
  }

  #shaped(): ShapedRates {
    return shapeRates(this.#rate.rateBps, this.#queuedBytes, this.#params, this.#rate.bounds);
  }

  /** Returns the fields whose values have changed since the last decision. */
  #decide(): Decision {
    const now = this.#shaped();
    const decision: Decision = {};
    if (now.encoderBps !== this.#last.encoderBps) decision.targetBps = now.encoderBps;
    if (now.sendingBps !== this.#last.sendingBps) decision.pacingBps = now.sendingBps;
    this.#last = now;
    return decision;
  }
}
