/**
 * SCReAM and SCReAMv2 over a queue that marks packets which wait too long, with feedback that tells of it:
 * the simulated link does not mark, so the marks are put into the feedback on its way.
 *
 * A packet of 1200 bytes needs 2 ms at 5 Mbit/s; the pacer lets 5 ms leave at once.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clockOffsetMs } from '../../harness/virtual/receiver.ts';
import type {
  Constraints,
  Controller,
  ControllerPlugin,
  Decision,
  Feedback,
  SentPacket,
} from '../../server/congestion/controller.ts';
import { plugin as scream } from '../../server/congestion/scream/index.ts';
import { plugin as screamV2 } from '../../server/congestion/scream-v2/index.ts';
import { type SimulationOptions, simulate } from './simulation.ts';

const oneWayMs = 25;
const pacerBurstMs = 5;
const packetMs = 2;
/** Shortest wait after which DualPI2 marks every packet (RFC 9332, appendix A.1: minTh and range), ms. */
const rampEndMs = 1.2;

/** Marks what waited longer than the threshold, its own transmission included. */
class Marking implements Controller {
  readonly #inner: Controller;
  readonly #thresholdMs: number;

  constructor(inner: Controller, thresholdMs: number) {
    this.#inner = inner;
    this.#thresholdMs = thresholdMs;
  }

  onConstraints(constraints: Constraints, nowMs: number): Decision {
    return this.#inner.onConstraints(constraints, nowMs);
  }

  onPacketSent(packet: SentPacket): Decision {
    return this.#inner.onPacketSent(packet);
  }

  onFeedback(feedback: Feedback): Decision {
    return this.#inner.onFeedback({
      ...feedback,
      packets: feedback.packets.map(packet => {
        if (packet.receivedMs === null) return packet;
        const queueMs = packet.receivedMs - clockOffsetMs - packet.sentMs - oneWayMs;
        return { ...packet, ecn: queueMs > this.#thresholdMs ? ('ce' as const) : ('ect1' as const) };
      }),
    });
  }

  onTick(nowMs: number, queuedBytes?: number): Decision {
    return this.#inner.onTick(nowMs, queuedBytes);
  }

  trace() {
    return this.#inner.trace();
  }
}

function run(
  plugin: ControllerPlugin,
  params: Record<string, unknown>,
  thresholdMs: number,
  pacer: Pick<SimulationOptions, 'pacerBurstMs'> = { pacerBurstMs },
) {
  const controller = new Marking(plugin.create(plugin.params.parse(params)), thresholdMs);
  const recording = simulate({ controller, durationMs: 120e3, link: 5e6, oneWayMs, ...pacer });
  return { utilisation: recording.utilisation(20e3, 120e3), queueMs: recording.queueMs(95, 20e3, 120e3) };
}

for (const { plugin, params, thresholdMs } of [
  { plugin: screamV2, params: { ecn: 'l4s' }, thresholdMs: 15 },
  { plugin: screamV2, params: { ecn: 'classic' }, thresholdMs: 20 },
  { plugin: scream, params: {}, thresholdMs: 20 },
]) {
  // far below the target delay of the controller
  test(`${plugin.id} ${JSON.stringify(params)}: marks from ${thresholdMs} ms on keep queue there, link in use`, () => {
    const marked = run(plugin, params, thresholdMs);
    const unmarked = run(plugin, params, Infinity);
    assert.ok(marked.queueMs <= thresholdMs + pacerBurstMs + packetMs, `${marked.queueMs} ms`);
    assert.ok(unmarked.queueMs > 2 * (thresholdMs + pacerBurstMs), `${unmarked.queueMs} ms without marks`);
    assert.ok(marked.utilisation > 0.75, `${marked.utilisation}`);
  });
}

test('scream-v2: a cut by the share of marks leaves more of the link in use than a fixed one', () => {
  const [l4s, classic] = ['l4s', 'classic'].map(ecn => run(screamV2, { ecn }, 15).utilisation) as [number, number];
  assert.ok(l4s > classic, `${l4s} and ${classic}`);
});

test('scream-v2 as L4S: bursts are short, so that a queue that marks as DualPI2 does not mark its own packets', () => {
  const { utilisation, queueMs } = run(screamV2, { ecn: 'l4s' }, rampEndMs + packetMs, {});
  assert.ok(utilisation > 0.6, `${utilisation}`);
  assert.ok(queueMs < 3 * packetMs, `${queueMs} ms`);
});
