import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ArrivalGroups } from '../../../../../server/congestion/gcc/arrival-groups.ts';

/** Adds packets [sentMs, receivedMs, nowMs] in order; returns the results. */
function add(groups: ArrivalGroups, ...packets: [number, number, number?][]) {
  return packets.map(([sentMs, receivedMs, nowMs]) => groups.add(sentMs, receivedMs, nowMs ?? receivedMs + 25));
}

test("two groups' distance appears when a third one opens", () => {
  const deltas = add(new ArrivalGroups(), [0, 100], [20, 125], [40, 160]);
  assert.deepEqual(deltas, [undefined, undefined, { sendDeltaMs: 20 - 0, arrivalDeltaMs: 125 - 100 }]);
});

test("packets within 5 ms of the group's first belong to it; its last packet counts", () => {
  // The packet sent at 6 ms is 6 > 5 ms after the first, and its arrival gap exceeds its send gap (9 - 1 >= 0): no
  // burst.
  const deltas = add(new ArrivalGroups(), [0, 100], [5, 105], [6, 114], [30, 140], [60, 170]);
  assert.deepEqual(deltas.slice(0, 3), [undefined, undefined, undefined]);
  assert.deepEqual(deltas[3], { sendDeltaMs: 6 - 5, arrivalDeltaMs: 114 - 105 });
  assert.deepEqual(deltas[4], { sendDeltaMs: 30 - 6, arrivalDeltaMs: 140 - 114 });
});

test('5 ms are the limit of a group, and of the gap in a burst', () => {
  // 5.5 > 5 ms after the first, and it arrives 6 ms later: a separate group.
  assert.deepEqual(add(new ArrivalGroups(), [0, 100], [5.5, 106], [30, 140])[2], {
    sendDeltaMs: 5.5,
    arrivalDeltaMs: 6,
  });
  // Arrivals 5.5 > 5 ms apart are no burst; arrivals 5 ms apart are.
  assert.deepEqual(add(new ArrivalGroups(), [0, 100], [30, 105.5], [60, 140])[2], {
    sendDeltaMs: 30,
    arrivalDeltaMs: 5.5,
  });
  assert.equal(add(new ArrivalGroups(), [0, 100], [30, 105], [60, 140])[2], undefined);
});

test('packets that arrive back to back, faster than they were sent, are one burst of up to 100 ms', () => {
  const groups = new ArrivalGroups();
  add(groups, [0, 0], [50, 50]);
  // Sent 30 ms apart, arriving 4 ms apart: 4 - 30 < 0 and 4 <= 5.
  assert.deepEqual(add(groups, [80, 54], [110, 58], [140, 62]), [undefined, undefined, undefined]);
  // 6 > 5: the burst is over. Its last packet was sent at 140 and arrived at 62.
  assert.deepEqual(add(groups, [170, 68]), [{ sendDeltaMs: 140 - 0, arrivalDeltaMs: 62 - 0 }]);

  const long = new ArrivalGroups();
  const steps = Array.from({ length: 22 }, (_, i): [number, number] => [30 * i, 5 * i]);
  // Arrivals 0, 5, ..., 95 are within 100 ms of the first; 100 is not, and opens the second group.
  assert.deepEqual(add(long, ...steps, [900, 400]).at(-1), {
    sendDeltaMs: 30 * 21 - 30 * 19,
    arrivalDeltaMs: 5 * 21 - 5 * 19,
  });
});

test("a packet sent before the group's first is ignored", () => {
  const groups = new ArrivalGroups();
  add(groups, [0, 100], [20, 120]);
  assert.deepEqual(add(groups, [10, 130], [40, 145]), [undefined, { sendDeltaMs: 20, arrivalDeltaMs: 20 }]);
});

test("three packets in a row that find the groups' arrivals reversed reset the grouping", () => {
  const groups = new ArrivalGroups();
  // First group: sent at 0, complete at 250. The second opens at 240, 140 >= 100 ms after the first arrival: no burst.
  add(groups, [0, 100], [0, 250], [20, 240]);
  assert.deepEqual(add(groups, [40, 260], [60, 280], [80, 300]), [undefined, undefined, undefined]);
  assert.deepEqual(add(groups, [100, 320], [120, 340], [140, 360]), [
    undefined,
    undefined,
    { sendDeltaMs: 20, arrivalDeltaMs: 20 },
  ]);
});

test('a receiver clock that jumps by 3 s against ours resets the grouping', () => {
  const groups = new ArrivalGroups();
  // 3130 - 100 - (160 - 150) = 3020 >= 3000.
  assert.deepEqual(add(groups, [0, 100, 150], [20, 3130, 160], [40, 3150, 180]), [undefined, undefined, undefined]);
  assert.deepEqual(add(groups, [60, 3170, 200], [80, 3190, 220], [100, 3210, 240]), [
    undefined,
    undefined,
    { sendDeltaMs: 20, arrivalDeltaMs: 20 },
  ]);
  // 2999 ms are a delay and not a jump.
  const patient = new ArrivalGroups();
  assert.deepEqual(add(patient, [0, 100, 150], [20, 3109, 160], [40, 3150, 180])[2], {
    sendDeltaMs: 20,
    arrivalDeltaMs: 3009,
  });
});
