/** A path with a round trip of 50 ms for a window-based controller; packets are sent and reported in groups. */

import assert from 'node:assert/strict';
import type { EcnField } from '../../../../../core/vocabulary/ecn.ts';
import type { Constraints, Controller, Decision } from '../../../../../server/congestion/controller.ts';

const packetBytes = 1000;

export class Path {
  readonly controller: Controller;
  nowMs = 0;
  #next = 0;

  constructor(controller: Controller, constraints: Constraints) {
    this.controller = controller;
    controller.onConstraints(constraints, 0);
  }

  /**
   * Sends `packets` packets and reports them: the first `missing` as missing, the others as received after a queue
   * delay of `queueMs`.
   */
  exchange(
    packets: number,
    { queueMs = 0, missing = 0, ecn }: { queueMs?: number; missing?: number; ecn?: EcnField } = {},
  ): Decision {
    const sent = Array.from({ length: packets }, (_, i) => ({
      sequence: this.#next++,
      sentMs: this.nowMs,
      sizeBytes: packetBytes,
      kind: 'media' as const,
      inFlightBytes: (i + 1) * packetBytes,
    }));
    for (const packet of sent) assert.deepEqual(this.controller.onPacketSent(packet), {});
    this.nowMs += 50 + queueMs;
    return this.controller.onFeedback({
      arrivedMs: this.nowMs,
      inFlightBytes: 0,
      packets: sent.map((packet, i) => ({
        ...packet,
        receivedMs: i < missing ? null : packet.sentMs + 1e6 + 25 + queueMs,
        ...(ecn === undefined ? {} : { ecn }),
      })),
    });
  }

  tick(queuedBytes = 0): Decision {
    this.nowMs += 25;
    return this.controller.onTick(this.nowMs, queuedBytes);
  }

  value(name: string): number {
    return Number(this.controller.trace()[name]);
  }
}
