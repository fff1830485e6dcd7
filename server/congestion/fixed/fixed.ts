/**
 * No congestion control: a constant rate. Studies use it as the baseline for the effect of a controller, and as a load
 * of known size.
 *
 * The rule is the project's own and follows no publication. The share of packets lost in the newest report is written
 * to the trace, but does not affect the rate.
 */
import type { Constraints, Controller, Decision, Feedback, Trace } from '../controller.ts';
import type { FixedParams } from './params.ts';

export class FixedRate implements Controller {
  readonly #params: FixedParams;
  #targetBps = 0;
  #lossRatio = 0;

  constructor(params: FixedParams) {
    this.#params = params;
  }

  onConstraints({ minBps, startBps, maxBps }: Constraints): Decision {
    const targetBps = Math.min(Math.max(this.#params.rate ?? startBps, minBps), maxBps);
    if (targetBps === this.#targetBps) return {};
    this.#targetBps = targetBps;
    return { targetBps, pacingBps: this.#pacingBps() };
  }

  onPacketSent(): Decision {
    return {};
  }

  onFeedback({ packets }: Feedback): Decision {
    if (packets.length > 0)
      this.#lossRatio = packets.filter(({ receivedMs }) => receivedMs === null).length / packets.length;
    return {};
  }

  onTick(): Decision {
    return {};
  }

  trace(): Trace {
    return { targetBps: this.#targetBps, pacingBps: this.#pacingBps(), lossRatio: this.#lossRatio };
  }

  #pacingBps(): number {
    return this.#targetBps * this.#params.pacingFactor;
  }
}
