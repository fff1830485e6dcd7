import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LossObservations, type ReportedPacket } from '../../../../../server/congestion/gcc/loss-observations.ts';
import { near } from './near.ts';

let sequence = 0;

/** Ten packets of `sizeBytes` ending at `endMs`, 25 ms apart, of which the first `lost` are missing. */
function ten(endMs: number, lost: number, sizeBytes = 1000): ReportedPacket[] {
  return Array.from({ length: 10 }, (_, i) => ({
    sequence: sequence++,
    sentMs: endMs - 25 * (9 - i),
    sizeBytes,
    received: i >= lost,
  }));
}

function kept(observations: LossObservations) {
  const list: { sizeBytes: number; lostBytes: number; sendingBps: number; weight: number }[] = [];
  observations.forEach((observation, weight) => list.push({ ...observation, weight }));
  return list;
}

test('an observation is complete when 250 ms of sending are reported', () => {
  const observations = new LossObservations();
  assert.equal(observations.add(ten(225, 0)), false, '0 to 225 ms');
  assert.equal(observations.add([{ sequence: 99, sentMs: 249, sizeBytes: 500, received: true }]), false);
  assert.equal(observations.add([{ sequence: 100, sentMs: 250, sizeBytes: 500, received: false }]), true);
  assert.deepEqual(kept(observations), [
    { sizeBytes: 11000, lostBytes: 500, sendingBps: (11000 * 8) / 0.25, weight: 1 },
  ]);
  assert.equal(observations.endMs, 250);
});

test('a packet first reported missing and then received is not lost', () => {
  const observations = new LossObservations();
  observations.add([
    { sequence: 1, sentMs: 0, sizeBytes: 1000, received: true },
    { sequence: 2, sentMs: 10, sizeBytes: 700, received: false },
  ]);
  observations.add([
    { sequence: 2, sentMs: 10, sizeBytes: 700, received: true },
    { sequence: 3, sentMs: 300, sizeBytes: 1000, received: true },
  ]);
  assert.equal(kept(observations)[0]!.lostBytes, 0);
});

test('fifteen observations are kept, each weighing 0.9 of the next younger', () => {
  const observations = new LossObservations();
  observations.add([{ sequence: 0, sentMs: 0, sizeBytes: 1000, received: true }]);
  for (let i = 1; i <= 16; i++) observations.add(ten(250 * i, 0, 100 * i));
  const list = kept(observations);
  assert.equal(list.length, 15);
  assert.equal(observations.count, 16);
  assert.deepEqual([list[0]!.sizeBytes, list[0]!.weight], [16000, 1]);
  near(list[14]!.weight, 0.9 ** 14);
  assert.equal(list[14]!.sizeBytes, 2000);
});

test('up to three observations all count in the average', () => {
  const observations = new LossObservations();
  observations.add([{ sequence: 0, sentMs: 0, sizeBytes: 0, received: true }]);
  for (const [i, lost] of [1, 2, 3].entries()) observations.add(ten(250 * (i + 1), lost));
  near(observations.averageLossRatio, (0.81 * 1 + 0.9 * 2 + 3) / (10 * (0.81 + 0.9 + 1)));
});

test('from the fourth on the best and the worst are left out', () => {
  const observations = new LossObservations();
  observations.add([{ sequence: 0, sentMs: 0, sizeBytes: 0, received: true }]);
  for (const [i, lost] of [1, 9, 2, 0].entries()) observations.add(ten(250 * (i + 1), lost));
  // The first (weight 0.729) and the third observation (weight 0.9) remain.
  near(observations.averageLossRatio, (0.729 * 1 + 0.9 * 2) / (10 * (0.729 + 0.9)));
});

test('the worst counts when it was sent at twice the median rate', () => {
  const observations = new LossObservations();
  observations.add([{ sequence: 0, sentMs: 0, sizeBytes: 0, received: true }]);
  for (const [i, lost] of [1, 1, 1].entries()) observations.add(ten(250 * (i + 1), lost));
  // Rates 320, 320, 320 and 640 kbit/s: the median is 320.
  observations.add(ten(1000, 5, 2000));
  near(
    observations.averageLossRatio,
    ((0.729 + 0.81 + 0.9) * 1000 + 5 * 2000) / ((0.729 + 0.81 + 0.9) * 10000 + 20000),
  );
  const slower = new LossObservations();
  slower.add([{ sequence: 0, sentMs: 0, sizeBytes: 0, received: true }]);
  for (const [i, lost] of [1, 1, 1].entries()) slower.add(ten(250 * (i + 1), lost));
  slower.add(ten(1000, 5, 1990));
  near(slower.averageLossRatio, 0.1, 'below twice the median the worst is left out');
});
