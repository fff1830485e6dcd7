/** Handmade feedback messages, for cases in which the order of work within one message matters. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Controller, PacketResult, SentPacket } from '../../../../../server/congestion/controller.ts';
import { plugin } from '../../../../../server/congestion/webrtc-bbr/index.ts';

const packetBytes = 1000;

class Script {
  readonly controller: Controller;
  #inFlightBytes = 0;
  readonly #sent: SentPacket[] = [];

  constructor(params: Record<string, unknown> = {}) {
    this.controller = plugin.create(plugin.params.parse(params));
    this.controller.onConstraints({ minBps: 30e3, startBps: 300e3, maxBps: 2e6 }, 0);
  }

  /** Sends `count` packets, one per millisecond. */
  send(count: number, fromMs: number): this {
    for (let i = 0; i < count; i++) {
      this.#inFlightBytes += packetBytes;
      const packet: SentPacket = {
        sequence: this.#sent.length,
        sentMs: fromMs + i,
        sizeBytes: packetBytes,
        kind: 'media',
        inFlightBytes: this.#inFlightBytes,
      };
      this.#sent.push(packet);
      this.controller.onPacketSent(packet);
    }
    return this;
  }

  /** Reports packets; a negative number is a missing one. `isLate`: they have been reported before. */
  report(arrivedMs: number, sequences: readonly number[], isLate = false): this {
    const packets = sequences.map(
      (sequence): PacketResult => ({
        ...this.#sent[Math.abs(sequence)]!,
        receivedMs: sequence < 0 ? null : arrivedMs - 20,
      }),
    );
    if (!isLate) this.#inFlightBytes -= packets.length * packetBytes;
    this.controller.onFeedback({ arrivedMs, packets, inFlightBytes: this.#inFlightBytes });
    return this;
  }

  value(name: string): number | string {
    return this.controller.trace()[name]!;
  }
}

test('conservation lasts a round from the loss on, not what is left of the round', () => {
  const script = new Script().send(10, 0).report(50, [0, 1, 2, 3]).send(5, 60).report(100, [4, -5, 6]);
  assert.equal(script.value('recoveryState'), 'conservation');
  // Packet 10 left after packet 9, the end of the first round, but before the loss was known.
  script.report(150, [7, 8, 9, -10, 11]);
  assert.equal(script.value('recoveryState'), 'conservation');
  script.send(1, 160).report(200, [12, -13, 14, 15]);
  assert.equal(script.value('recoveryState'), 'growth');
});

test('a report of losses alone starts no recovery, and takes off nothing', () => {
  const script = new Script().send(10, 0).report(50, [0, 1, 2, 3]);
  const before = script.value('windowBytes');
  script.report(100, [-4, -5]);
  assert.equal(script.value('recoveryState'), 'none');
  assert.equal(script.value('windowBytes'), before);
});

test('packets that were taken for lost, or passed over, count for nothing when they arrive after all', () => {
  const script = new Script({ recovery: 'off' }).send(10, 0).report(50, [0, 3, -4]);
  const before = script.value('windowBytes');
  assert.equal(before, 32 * 1460 + 2 * packetBytes, 'in STARTUP the window grows by what is acknowledged');
  script.report(60, [1, 2], true).report(70, [4], true);
  assert.equal(script.value('windowBytes'), before);
  script.report(80, [5]);
  assert.equal(script.value('windowBytes'), 32 * 1460 + 3 * packetBytes);
});

test("with a full window it is the window that limits; what leaves long after feedback has opened it is the application's", () => {
  for (const [sentMs, isAppLimited] of [
    [102, 0],
    [120, 1],
  ] as const) {
    const script = new Script({ appLimit: 'inferred', maxWindow: 1000, minWindow: 500 });
    // From the first report on the window is one packet.
    script.send(1, 0).report(50, [0]).send(1, 52).report(100, [1]).send(1, sentMs);
    assert.equal(script.value('isAppLimited'), isAppLimited, `${sentMs}`);
  }
});

test('what expired during a pause calls for no PROBE_RTT where the new flight is known for one', () => {
  for (const newFlight of ['never', 'restart']) {
    const script = new Script({ appLimit: 'inferred', newFlight });
    script.send(1, 0).report(50, [0]).send(1, 60).report(110, [1]).send(1, 15_000).report(15_070, [2]);
    assert.equal(script.value('probeRttCount'), newFlight === 'never' ? 1 : 0, newFlight);
  }
});
