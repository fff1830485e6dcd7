/**
 * Sets the rate to the receiver's estimate (REMB), within bounds. The sender makes no own estimate and does not react
 * to losses or missing feedback. aiortc, the sender in the paper on BBRv3 and WebRTC on one link, works in this way.
 *
 * Source: aiortc, rtcrtpsender.py (_handle_rtcp_packet), codecs/h264.py (target_bitrate, _encode_frame);
 * draft-alvestrand-rmcat-remb-03. Deviations: README.md.
 */
import type { Constraints, Controller, Decision, Feedback, Trace } from '../controller.ts';
import type { RembParams } from './params.ts';

export class ReceiverEstimateRate implements Controller {
  readonly #params: RembParams;
  #minBps = 0;
  #maxBps = Infinity;
  /** Target rate; 0 before the first constraints. */
  #targetBps = 0;
  #receiverEstimateBps: number | undefined;

  constructor(params: RembParams) {
    this.#params = params;
  }

  onConstraints({ minBps, startBps, maxBps }: Constraints): Decision {
    this.#maxBps = Math.min(Math.max(this.#params.maxRate, minBps), maxBps);
    this.#minBps = Math.min(Math.max(this.#params.minRate, minBps), maxBps);
    return this.#set(this.#clamped(this.#targetBps === 0 ? startBps : this.#targetBps));
  }

  onPacketSent(): Decision {
    return {};
  }

  onFeedback({ receiverEstimateBps }: Feedback): Decision {
    if (receiverEstimateBps === undefined) return {};
    this.#receiverEstimateBps = receiverEstimateBps;
    const wantedBps = this.#clamped(receiverEstimateBps);
    return Math.abs(wantedBps - this.#targetBps) > this.#params.hysteresis * this.#targetBps
      ? this.#set(wantedBps)
      : {};
  }

  onTick(): Decision {
    return {};
  }

  /** Returns the traced values. `receiverEstimateBps` is 0 before the receiver's first estimate. */
  trace(): Trace {
    return {
      targetBps: this.#targetBps,
      pacingBps: this.#pacingBps(),
      receiverEstimateBps: this.#receiverEstimateBps ?? 0,
    };
  }

  #clamped(rateBps: number): number {
    return Math.min(Math.max(rateBps, this.#minBps), this.#maxBps);
  }

  #set(targetBps: number): Decision {
    if (targetBps === this.#targetBps) return {};
    this.#targetBps = targetBps;
    return { targetBps, pacingBps: this.#pacingBps() };
  }

  #pacingBps(): number {
    return this.#targetBps * this.#params.pacingFactor;
  }
}
