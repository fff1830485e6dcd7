/**
 * Rules about ECN for every congestion controller: one whose packets get an ECN field reacts to CE marks, and any other
 * does as if there were none. A mark without a reaction would only spare packets the drops of a queue.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadPlugins } from '../../core/plugins.ts';
import type { EcnField } from '../../core/vocabulary/ecn.ts';
import type { Controller, ControllerPlugin, Feedback } from '../../server/congestion/controller.ts';
import { simulate } from '../sim/simulation.ts';

const folder = new URL('../../server/congestion/', import.meta.url);
const controllers = await loadPlugins<ControllerPlugin>(folder, 'controller');

/** Returns the controller behind a path that reports `field` for one packet in `every`, and ECT(1) for the others. */
function reporting(inner: Controller, field: EcnField, every: number): Controller {
  const ecnOf = (sequence: number): EcnField => (sequence % every === 0 ? field : 'ect1');
  const marked = ({ packets, ...rest }: Feedback): Feedback => ({
    ...rest,
    packets: packets.map(packet => (packet.receivedMs === null ? packet : { ...packet, ecn: ecnOf(packet.sequence) })),
  });
  return {
    onConstraints: (constraints, nowMs) => inner.onConstraints(constraints, nowMs),
    onPacketSent: packet => inner.onPacketSent(packet),
    onFeedback: feedback => inner.onFeedback(marked(feedback)),
    onRoundTrip: rttMs => inner.onRoundTrip?.(rttMs),
    onLossReport: (lost, expected, nowMs) => inner.onLossReport?.(lost, expected, nowMs),
    onTick: (nowMs, queuedBytes) => inner.onTick(nowMs, queuedBytes),
    trace: () => inner.trace(),
  };
}

/** Share of an idle link of 3 Mbit/s that the controller uses after 10 s. */
function utilisation({ create, params, feedback }: ControllerPlugin, given: object, field: EcnField): number {
  const controller = reporting(create(params.parse(given) as never), field, 4);
  const kind = feedback === undefined ? {} : { feedback };
  return simulate({ controller, durationMs: 40e3, link: 3e6, oneWayMs: 25, ...kind }).utilisation(10e3, 40e3);
}

for (const [id, plugin] of controllers) {
  const variants = id === 'scream-v2' ? [{ ecn: 'l4s' }, { ecn: 'classic' }] : [{}];
  for (const given of variants) {
    const isMarked = plugin.ect !== undefined;
    test(`${id} ${JSON.stringify(given)}: ${isMarked ? 'reacts to' : 'ignores'} CE marks`, () => {
      const [clean, marked] = [utilisation(plugin, given, 'ect1'), utilisation(plugin, given, 'ce')];
      if (isMarked) assert.ok(marked < 0.9 * clean, `${marked} with marks, ${clean} without`);
      else assert.equal(marked, clean);
    });
  }
}

test('the ECN field follows the reaction that was asked for', () => {
  const ectOf = (id: string, given: object) => {
    const { ect, params } = controllers.get(id)!;
    return ect?.(params.parse(given) as Record<string, unknown>);
  };
  assert.equal(ectOf('scream-v2', { ecn: 'l4s' }), 'ect1');
  assert.equal(ectOf('scream-v2', { ecn: 'classic' }), 'ect0');
  assert.equal(ectOf('nada', {}), 'ect0');
  assert.equal(ectOf('gcc', {}), undefined);
});
