import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Probe } from '../../../../server/congestion/controller.ts';
import { ProbePacer } from '../../../../server/pacing/probe-pacer.ts';
import { type Left, packetBytes, paddingBytes, Wire } from './wire.ts';

const probe = (id: number, rateBps: number, minPackets = 5, minBytes = (rateBps / 8000) * 15): Probe => ({
  id,
  rateBps,
  minPackets,
  minBytes,
});
const of = (wire: Wire, id: number) => wire.left.filter(left => left.probe === id);

/** Returns the rate of a probe from its first packet to the start of its last step, as a receiver can measure it. */
function rateBps(packets: readonly Left[]): number {
  const last = packets.at(-1)!.timeMs;
  const bytes = packets.filter(({ timeMs }) => timeMs < last).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  return (bytes * 8000) / (last - packets[0]!.timeMs);
}

for (const rate of [300e3, 900e3, 3e6, 20e6]) {
  for (const queued of [1, 100]) {
    for (const timerMs of [0, 1]) {
      test(`a probe of ${rate / 1e6} Mbit/s, ${queued} packet(s) queued, timers of ${timerMs} ms`, () => {
        const wire = new Wire(200e3);
        wire.enqueue(queued);
        wire.pacer.addProbe(probe(1, rate), 0);
        wire.run(500, { timerMs });
        const packets = of(wire, 1);
        const bytes = packets.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
        assert.ok(Math.abs(rateBps(packets) / rate - 1) < (timerMs === 0 ? 0.001 : 0.1), `${rateBps(packets)}`);
        assert.ok(packets.length >= 5 && bytes >= (rate / 8000) * 15, `${packets.length} packets, ${bytes} bytes`);
        assert.ok(bytes < (rate / 8000) * 17 + 5 * packetBytes, `${bytes} bytes: hardly more than asked for`);
      });
    }
  }
}

test('media goes into a probe before padding does', () => {
  const wire = new Wire(1e6);
  wire.enqueue(2);
  wire.pacer.addProbe(probe(1, 900e3), 0);
  wire.run(100);
  assert.deepEqual(
    of(wire, 1)
      .map(({ kind }) => kind)
      .slice(0, 3),
    ['media', 'media', 'padding'],
  );
});

test('while a probe runs, nothing else leaves: the rest of the burst waits', () => {
  const wire = new Wire(10e6);
  wire.pacer.setRates({ paddingBps: 10e6 });
  wire.enqueue(30); // all of them would fit the burst of 50 kB
  wire.pacer.addProbe(probe(1, 2e6), 0);
  wire.run(200);
  const packets = of(wire, 1);
  const [first, last] = [packets[0]!.timeMs, packets.at(-1)!.timeMs];
  assert.ok(last - first >= 10);
  assert.deepEqual(
    wire.left.filter(({ timeMs, probe: id }) => timeMs < last && id === undefined),
    [],
  );
});

test('a probe goes past pacing rate and congestion window', () => {
  const wire = new Wire(100e3);
  wire.pacer.setRates({ congestionWindowBytes: 1000 });
  wire.pacer.setInFlight(1e6);
  wire.enqueue(20);
  wire.pacer.addProbe(probe(1, 5e6), 0);
  wire.run(20);
  assert.ok(of(wire, 1).length >= 5);
});

test('probes run one after another', () => {
  const wire = new Wire(1e6);
  wire.enqueue(50);
  wire.pacer.addProbe(probe(1, 3e6), 0);
  wire.pacer.addProbe(probe(2, 6e6), 0);
  wire.run(100);
  const ids = wire.left.map(left => left.probe).filter(id => id !== undefined);
  assert.deepEqual(ids, [...ids].sort());
  assert.ok(Math.abs(rateBps(of(wire, 1)) / 3e6 - 1) < 0.01 && Math.abs(rateBps(of(wire, 2)) / 6e6 - 1) < 0.01);
});

test('where media is short, padding fills a step to its size', () => {
  const wire = new Wire(1e6);
  wire.enqueue(1);
  wire.pacer.addProbe(probe(1, 20e6), 0);
  wire.run(0);
  assert.ok(wire.bytes() >= 5000 && wire.bytes() < 5000 + paddingBytes, `${wire.bytes()} bytes in a step of 5000`);
});

test('a probe waits for a packet to start with, for 5 s', () => {
  const early = new Wire(1e6);
  early.pacer.addProbe(probe(1, 3e6), 500);
  early.run(6000, { events: [{ atMs: 5500, do: () => early.enqueue(1) }] });
  assert.equal(early.left[0]!.timeMs, 5500);
  assert.ok(of(early, 1).length >= 5);
  const late = new Wire(1e6);
  late.pacer.addProbe(probe(1, 3e6), 0);
  late.run(6000, { events: [{ atMs: 5001, do: () => late.enqueue(1) }] });
  assert.deepEqual(
    late.left.map(left => left.probe),
    [undefined],
  );
});

test('a probe that cannot go on for 10 ms is given up', () => {
  for (const [lateMs, goesOn] of [
    [9.9, true],
    [10.1, false],
  ] as const) {
    const wire = new Wire(10e6);
    wire.enqueue(20);
    wire.pacer.addProbe(probe(1, 1e6), 0);
    const dueMs = wire.pacer.process(0); // 1200 bytes at 1 Mbit/s
    assert.ok(Math.abs(dueMs - 9.6) < 1e-9);
    wire.left.length = 0;
    wire.pacer.process(dueMs + lateMs);
    assert.equal(wire.left[0]!.probe, goesOn ? 1 : undefined);
  }
});

test('a probe without padding ends with the queue', () => {
  const wire = new Wire(1e6);
  wire.canPad = false;
  wire.enqueue(2);
  wire.pacer.addProbe(probe(1, 3e6), 0);
  wire.run(100);
  assert.equal(of(wire, 1).length, 2);
  wire.enqueue(1);
  wire.run(200);
  assert.equal(wire.left.at(-1)!.probe, undefined);
});

test('packets and bytes are both asked for', () => {
  const many = new Wire(1e6);
  many.enqueue(40, 'media', 100);
  many.pacer.addProbe(probe(1, 1e6, 20, 500), 0);
  many.run(200);
  assert.equal(of(many, 1).length, 20);
  const large = new Wire(1e6);
  large.enqueue(40);
  large.pacer.addProbe(probe(1, 1e6, 1, 10_000), 0);
  large.run(200);
  assert.equal(of(large, 1).length, 9); // 9 x 1200 >= 10 000
  const exact = new Wire(1e6);
  exact.enqueue(40);
  exact.pacer.addProbe(probe(1, 1e6, 1, 9600), 0);
  exact.run(200);
  assert.equal(of(exact, 1).length, 8);
});

test('of more than five that wait the oldest is dropped', () => {
  const probes = new ProbePacer();
  for (let id = 1; id <= 6; id++) probes.add(probe(id, 1e6), 0);
  assert.equal(probes.due(0, true)!.probe.id, 2);
});

test('a step is worth 2 ms, and none is due before its time', () => {
  const probes = new ProbePacer();
  probes.add(probe(1, 4e6), 0);
  assert.equal(probes.nextMs(0), Infinity);
  assert.equal(probes.due(0, false), undefined);
  assert.deepEqual(probes.due(0, true)!.stepBytes, 1000); // 4e6 / 8 x 0.002
  probes.onSent(1000, 0);
  assert.equal(probes.nextMs(0), 2);
  assert.equal(probes.isUnderWay(0), true);
  assert.equal(probes.due(1.9, true), undefined);
  assert.equal(probes.due(2, false)!.probe.id, 1);
});
