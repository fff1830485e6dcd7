import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type OverloadObservation, overloadRate, overloadReadings } from '../../../../shaper/calibrate/overload.ts';
import { overloadPlan } from '../../../../shaper/calibrate/plan.ts';
import { arrival, byId, link, rateBps, verdicts } from './hand-made.ts';

const asked = link();
const plan = overloadPlan(asked)!;
const baseMs = 10.05;

type Change = { limit?: number; slotMs?: (k: number) => number; lost?: number; offered?: number };

/**
 * Simulates a drop-tail queue with the plan's packets: one leaves each ms (`slotMs` of the k-th to leave), `limit` may
 * wait. `lost` packets vanish without a counter; the sender offers the share `offered` of the plan.
 */
function simulated(
  { limit = 100, slotMs = () => 1, lost = 0, offered = 1.15 }: Change = {},
  sending = plan,
): OverloadObservation {
  const arrivals = [];
  const leaving: number[] = [];
  let [sent, dropped, freeMs, endMs] = [0, 0, 0, 0];
  for (
    let timeMs = 1000;
    timeMs < 1000 + sending.settleMs + 2000;
    timeMs += sent <= sending.prefillPackets ? 1 / 1.15 / 3 : 1 / offered
  ) {
    const sequence = sent++;
    endMs = timeMs;
    while (leaving.length > 0 && leaving[0]! <= timeMs) leaving.shift();
    if (sequence % 50 === 7 && lost > 0) {
      lost--;
      continue;
    }
    if (leaving.length >= limit) {
      dropped++;
      continue;
    }
    freeMs = Math.max(freeMs, timeMs) + slotMs(arrivals.length);
    leaving.push(freeMs);
    arrivals.push(arrival(sequence, timeMs, freeMs + baseMs));
  }
  return {
    sent,
    startMs: 1000,
    endMs,
    arrivals,
    kernelDropped: 0,
    baseMs,
    backlogs: [limit - 1, limit, limit],
    counters: { sentPackets: arrivals.length, droppedPackets: dropped, markedPackets: 0, backlogPackets: 0, loss: [] },
  };
}

const good = { rate: 'ok', 'queue-plateau': 'ok', 'queue-count': 'ok', conservation: 'ok', delivery: 'ok' };

test('a link as asked for: its rate to a hair, its queue to a packet, every packet accounted for', () => {
  const readings = overloadReadings(asked, plan, simulated());
  assert.deepEqual(verdicts(readings), good);
  const rate = byId(readings, 'rate');
  assert.deepEqual([rate.asked, rate.unit], [rateBps, 'bps']);
  assert.ok(Math.abs(rate.measured! / rateBps - 1) < 1e-6);
  assert.ok(Math.abs(byId(readings, 'queue-plateau').measured! - 99.5) < 0.6);
});

test('in a deep queue packets wait longer than the sender sends', () => {
  const deep = link({ limitPackets: null, limitBytes: 4000 * 1514 });
  const deepPlan = overloadPlan(deep)!;
  assert.ok(deepPlan.drainMs > 1000 * deepPlan.seconds + deepPlan.settleMs);
  const readings = overloadReadings(deep, deepPlan, simulated({ limit: 4000 }, deepPlan));
  assert.deepEqual(verdicts(readings), good);
  assert.ok(Math.abs(byId(readings, 'queue-plateau').measured! - 3999.5) < 0.6);
});

test('a wrong rate is refused, one that is a little beside degrades', () => {
  assert.deepEqual(verdicts(overloadReadings(asked, plan, simulated({ slotMs: () => 1.02 }))), {
    ...good,
    rate: 'refused',
  });
  assert.deepEqual(verdicts(overloadReadings(asked, plan, simulated({ slotMs: () => 0.98 }))), {
    ...good,
    rate: 'refused',
  });
  assert.deepEqual(verdicts(overloadReadings(asked, plan, simulated({ slotMs: () => 1.007 }))), {
    ...good,
    rate: 'degraded',
  });
});

test('a link that was held up once was right most of the time: to be repeated', () => {
  const readings = overloadReadings(asked, plan, simulated({ slotMs: k => (k === 1200 ? 60 : 1) }));
  const rate = byId(readings, 'rate');
  assert.equal(rate.verdict, 'repeat');
  assert.match(rate.note!, /^most of the time it was right \(12\.112 Mbit\/s\)/);
});

test('a link that serialises and was held up is late: what was not late shows its rate', () => {
  const serialising = link({ bucketBytes: 0 });
  for (const [lates, slotMs] of [
    ['one stop of 60 ms', (k: number) => (k === 1200 ? 60 : 1)],
    ['every tenth packet 0.2 ms late', (k: number) => (k % 10 === 0 ? 1.2 : 1)],
    ['the same, a part of it made up for', (k: number) => (k % 10 === 0 ? 1.2 : 0.99)],
  ] as const) {
    const readings = overloadReadings(serialising, plan, simulated({ slotMs }));
    assert.ok(['ok', 'late'].includes(byId(readings, 'queue-plateau').verdict), lates);
    const rate = byId(readings, 'rate');
    assert.deepEqual([rate.verdict, rate.certain], ['late', true], lates);
    assert.match(rate.note!, /^1[12]\.\d+ Mbit\/s most of the time: something was held up$/);
  }
});

test('lateness excuses no wrong rate, nor a link that lost much of it', () => {
  const serialising = link({ bucketBytes: 0 });
  for (const [what, slotMs, verdict] of [
    ['2 % too slow', () => 1.02, 'refused'],
    ['2 % too slow, and late', (k: number) => (k % 10 === 0 ? 1.2 : 1.02), 'refused'],
    ['0.7 % too slow', () => 1.007, 'degraded'],
    ['2 % too fast', () => 0.98, 'refused'],
    ['4 % too fast, and late', (k: number) => (k % 10 === 0 ? 1.5 : 0.96), 'refused'],
    ['a tenth lost to late packets', (k: number) => (k % 10 === 0 ? 2.1 : 1), 'refused'],
  ] as const)
    assert.equal(byId(overloadReadings(serialising, plan, simulated({ slotMs })), 'rate').verdict, verdict, what);
});

test('a link that is too fast is not excused by the time for which it was held up', () => {
  // 2 % too fast, except for a stop of 40 ms in 2 s: the mean is right
  const readings = overloadReadings(asked, plan, simulated({ slotMs: k => (k === 1200 ? 41 : 1 / 1.02) }));
  const rate = byId(readings, 'rate');
  assert.ok(Math.abs(rate.measured! / rateBps - 1) < 0.005, `${rate.measured}`);
  assert.equal(rate.verdict, 'repeat');
  assert.match(rate.note!, /^most of the time it was 12\.354 Mbit\/s: something was held up/);
});

test('a starved sender lets the queue run empty, and that says nothing about the rate or the queue', () => {
  const readings = overloadReadings(asked, plan, { ...simulated({ offered: 0.9 }), backlogs: [12, 0] });
  assert.deepEqual(verdicts(readings), { ...good, rate: 'repeat', 'queue-plateau': 'repeat', 'queue-count': 'repeat' });
  assert.match(byId(readings, 'rate').note!, /^the queue ran empty: \d+ packets did not wait$/);
});

test('but a link that is faster than the overload is refused although its queue is empty', () => {
  assert.equal(byId(overloadReadings(asked, plan, simulated({ slotMs: () => 0.5 })), 'rate').verdict, 'refused');
});

test('a queue that holds more or less is refused, by the delay of the packets and by its own count', () => {
  for (const limit of [97, 103]) {
    assert.deepEqual(
      verdicts(overloadReadings(asked, plan, simulated({ limit }))),
      { ...good, 'queue-plateau': 'refused', 'queue-count': 'refused' },
      String(limit),
    );
  }
  assert.equal(byId(overloadReadings(asked, plan, { ...simulated(), backlogs: [] }), 'queue-count').measured, null);
});

test('a packet that vanishes breaks the account', () => {
  const readings = overloadReadings(asked, plan, simulated({ lost: 3 }));
  assert.deepEqual(verdicts(readings), { ...good, conservation: 'refused' });
  const { asked: sent, measured, note } = byId(readings, 'conservation');
  assert.equal(sent - measured!, 3);
  assert.match(note!, /^\d+ delivered, \d+ dropped, 0 wait$/);
});

test('what the receiver had no room for was delivered; what the queue says it sent and nobody received was not', () => {
  const observed = simulated();
  const fewer = observed.arrivals.slice(0, -5);
  assert.deepEqual(verdicts(overloadReadings(asked, plan, { ...observed, arrivals: fewer, kernelDropped: 5 })), good);
  assert.deepEqual(verdicts(overloadReadings(asked, plan, { ...observed, arrivals: fewer })), {
    ...good,
    conservation: 'refused',
    delivery: 'refused',
  });
});

test('a backend that counts what comes in is asked for that, too', () => {
  const observed = simulated();
  const counted = (inPackets: number) =>
    overloadReadings(asked, plan, { ...observed, counters: { ...observed.counters, inPackets } });
  assert.deepEqual(verdicts(counted(observed.sent)), { ...good, arrivals: 'ok' });
  assert.deepEqual(verdicts(counted(observed.sent - 1)), { ...good, arrivals: 'refused' });
});

test('an AQM has no plateau, and a queue that takes too long to fill is not asked for it', () => {
  const aqm = link({ limitPackets: null });
  assert.deepEqual(Object.keys(verdicts(overloadReadings(aqm, overloadPlan(aqm), simulated()))), [
    'rate',
    'conservation',
    'delivery',
  ]);
  const deep = verdicts(overloadReadings(asked, { ...plan, plateauPackets: null }, simulated()));
  assert.deepEqual([deep['queue-plateau'], deep['queue-count']], ['skipped', 'skipped']);
});

test('nothing received is nothing measured; a link too fast remains unproved', () => {
  const nothing = overloadReadings(asked, plan, { ...simulated(), arrivals: [] });
  assert.deepEqual([byId(nothing, 'rate').verdict, byId(nothing, 'rate').measured], ['refused', null]);
  assert.equal(overloadRate(asked, plan, { startMs: 0, endMs: 1e9, arrivals: [], baseMs }), undefined);
  assert.deepEqual(verdicts(overloadReadings(link({ rateBps: 1e9 }), null, null)), { rate: 'degraded' });
});

test('a clock of 1 ms makes the wait in the full queue uncertain by two packets of 1 ms, and its count by none', () => {
  const [plain, stepped] = [link(), link({ stepMs: 1 })].map(one => overloadReadings(one, plan, simulated()));
  const widthOf = (readings: typeof plain, id: string) => {
    const { low, high } = byId(readings!, id).tolerance;
    return high - low;
  };
  assert.deepEqual([widthOf(plain, 'queue-plateau'), widthOf(stepped, 'queue-plateau')], [2, 6]);
  assert.equal(widthOf(stepped, 'queue-count'), 2);
});
