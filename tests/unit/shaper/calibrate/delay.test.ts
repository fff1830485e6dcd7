import assert from 'node:assert/strict';
import { test } from 'node:test';
import { delayReadings } from '../../../../shaper/calibrate/delay.ts';
import { idlePlan } from '../../../../shaper/calibrate/plan.ts';
import { arrival, byId, down, link, up, verdicts } from './hand-made.ts';

const plan = idlePlan(link());
/** 200 probes, 2 ms apart, of which the last `slow` take `slowMs` and the others `delayMs`. */
const probes = (delayMs: number, slow = 0, slowMs = 0) =>
  Array.from({ length: 200 }, (_, k) => arrival(k, 2 * k, 2 * k + (k < 200 - slow ? delayMs : slowMs)));
const readings = (delayMs: number, slow = 0, slowMs = 0) =>
  delayReadings(link({ paths: [down] }), plan, [{ path: down, sent: 200, arrivals: probes(delayMs, slow, slowMs) }]);

test('a delay as asked for is right, with what the bare path and the sending of a small packet add', () => {
  // 66 bytes at 12.112 Mbit/s take 0.044 ms
  for (const delayMs of [10, 10.05, 10.24])
    assert.deepEqual(
      verdicts(readings(delayMs)),
      { 'delay-p50': 'ok', 'delay-p99': 'ok', 'idle-arrivals': 'ok' },
      String(delayMs),
    );
  const read = byId(readings(10.05), 'delay-p50');
  assert.deepEqual([read.asked, read.unit, read.title], [10, 'ms', 'median one-way delay, server to client']);
  assert.ok(Math.abs(read.measured! - 10.05) < 1e-9);
});

test('one that is too long or too short is refused', () => {
  assert.deepEqual(verdicts(readings(10.3)), { 'delay-p50': 'refused', 'delay-p99': 'ok', 'idle-arrivals': 'ok' });
  assert.deepEqual(verdicts(readings(9.9)), { 'delay-p50': 'refused', 'delay-p99': 'refused', 'idle-arrivals': 'ok' });
});

test('so is a path that is sometimes slow', () => {
  assert.deepEqual(verdicts(readings(10.05, 6, 11.5)), {
    'delay-p50': 'ok',
    'delay-p99': 'refused',
    'idle-arrivals': 'ok',
  });
  assert.equal(byId(readings(10.05, 1, 30), 'delay-p99').verdict, 'ok', 'one probe in 200 may be');
});

test('a probe that does not arrive is missed; where none does, nothing was measured', () => {
  const missing = delayReadings(link({ paths: [down] }), plan, [
    { path: down, sent: 200, arrivals: probes(10.05).slice(1) },
  ]);
  assert.deepEqual(verdicts(missing), { 'delay-p50': 'ok', 'delay-p99': 'ok', 'idle-arrivals': 'refused' });
  const none = delayReadings(link({ paths: [down] }), plan, [{ path: down, sent: 200, arrivals: [] }]);
  assert.deepEqual(verdicts(none), { 'delay-p50': 'refused', 'delay-p99': 'refused', 'idle-arrivals': 'refused' });
  assert.equal(byId(none, 'delay-p50').measured, null);
});

test('there and back is the base round trip', () => {
  const both = (upMs: number) =>
    delayReadings(link(), plan, [
      { path: down, sent: 200, arrivals: probes(10.05) },
      { path: up, sent: 200, arrivals: probes(upMs) },
    ]);
  const read = byId(both(15.02), 'base-round-trip');
  assert.deepEqual([read.asked, read.verdict, read.title], [25, 'ok', 'base round trip, server to client and back']);
  assert.ok(Math.abs(read.measured! - 25.07) < 1e-9);
  assert.equal(byId(both(15.5), 'base-round-trip').verdict, 'refused');
});

test('at a link with a clock of 1 ms, a probe may be a tick early, and waits for a full packet and a tick', () => {
  const stepped = link({ paths: [down], stepMs: 1 });
  const verdictOf = (delayMs: number) =>
    byId(delayReadings(stepped, plan, [{ path: down, sent: 200, arrivals: probes(delayMs) }]), 'delay-p50').verdict;
  // a full packet takes 1 ms
  assert.deepEqual([8.9, 9.1, 12.1, 12.3].map(verdictOf), ['refused', 'ok', 'ok', 'refused']);
});
