import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AskedLoss } from '../../../../shaper/calibrate/link.ts';
import { type LossObservation, lossReadings, lostSequences } from '../../../../shaper/calibrate/loss.ts';
import { arrival, byId, down, verdicts } from './hand-made.ts';

const sent = 1000;
/** Every fiftieth packet is predicted to be lost: 2 %. */
const foretold = Array.from({ length: 20 }, (_, i) => 50 * i + 3);
const asked: AskedLoss = {
  lossRatio: 0.02,
  independent: true,
  predicted: packets => foretold.filter(k => k < packets),
};

function observed(
  lost: readonly number[],
  loss: AskedLoss | null = asked,
  change: Partial<LossObservation> = {},
): LossObservation {
  const [source, destination] = ['10.0.1.2', '10.0.2.2'];
  return {
    path: { ...down, loss },
    source,
    destination,
    sent,
    kernelDropped: 0,
    arrivals: Array.from({ length: sent }, (_, k) => k)
      .filter(k => !lost.includes(k))
      .map(k => arrival(k, k, k + 1)),
    counters: {
      sentPackets: sent - lost.length,
      markedPackets: 0,
      droppedPackets: 0,
      backlogPackets: 0,
      loss: [
        { source: '10.0.3.2', destination, protocol: 17, packets: 5, lostPackets: 5 },
        { source, destination, protocol: 1, packets: 5, lostPackets: 5 },
        { source, destination, protocol: 17, packets: sent, lostPackets: lost.length },
      ],
    },
    ...change,
  };
}

test('what did not arrive was lost', () => {
  assert.deepEqual(lostSequences(5, [{ sequence: 3 }, { sequence: 0 }, { sequence: 3 }]), [1, 2, 4]);
  assert.deepEqual(lostSequences(0, []), []);
});

test('the packets that the seed foretells, and no other', () => {
  const readings = lossReadings([observed(foretold)]);
  assert.deepEqual(verdicts(readings), { 'loss-ratio': 'ok', 'loss-list': 'ok', 'loss-count': 'ok' });
  assert.equal(byId(readings, 'loss-ratio').measured, 0.02);
  assert.equal(byId(readings, 'loss-list').note, '20 lost, each foretold');
});

test('as many others are refused, and the first is named', () => {
  const readings = lossReadings([observed(foretold.map(k => k + 1))]);
  assert.deepEqual(verdicts(readings), { 'loss-ratio': 'ok', 'loss-list': 'refused', 'loss-count': 'ok' });
  assert.deepEqual(
    [byId(readings, 'loss-list').measured, byId(readings, 'loss-list').note],
    [40, 'the first is packet 3, not lost'],
  );
});

test('one more is refused', () => {
  const readings = lossReadings([observed([...foretold, 999])]);
  assert.deepEqual(verdicts(readings), { 'loss-ratio': 'ok', 'loss-list': 'refused', 'loss-count': 'ok' });
  assert.equal(byId(readings, 'loss-list').note, 'the first is packet 999, lost');
});

test('many more are outside the interval, too', () => {
  const many = Array.from({ length: 40 }, (_, i) => 25 * i + 3);
  assert.deepEqual(verdicts(lossReadings([observed(many)])), {
    'loss-ratio': 'refused',
    'loss-list': 'refused',
    'loss-count': 'ok',
  });
});

test('where the seed itself leads out of the interval, its list decides', () => {
  const unlikely: AskedLoss = { ...asked, lossRatio: 0.005 };
  const readings = lossReadings([observed(foretold, unlikely)]);
  assert.deepEqual(verdicts(readings), { 'loss-ratio': 'ok', 'loss-list': 'ok', 'loss-count': 'ok' });
  assert.match(byId(readings, 'loss-ratio').note!, /as this seed foretells$/);
  assert.equal(
    byId(lossReadings([observed(foretold, { ...unlikely, predicted: null })]), 'loss-ratio').verdict,
    'refused',
  );
});

test('losses in bursts have no interval, and a backend without foresight no list and no count', () => {
  const bursts = lossReadings([observed(foretold, { ...asked, independent: false })]);
  assert.deepEqual(verdicts(bursts), { 'loss-ratio': 'skipped', 'loss-list': 'ok', 'loss-count': 'ok' });
  const blind = lossReadings([observed(foretold, { ...asked, predicted: null })]);
  assert.deepEqual(verdicts(blind), { 'loss-ratio': 'ok', 'loss-list': 'skipped', 'loss-count': 'skipped' });
});

test('without loss none is lost, and nothing has to be counted', () => {
  assert.deepEqual(verdicts(lossReadings([observed([], null)])), { 'loss-ratio': 'ok', 'loss-list': 'ok' });
  assert.deepEqual(verdicts(lossReadings([observed([7], null)])), { 'loss-ratio': 'refused', 'loss-list': 'refused' });
});

test("the link's own count must be that of the sender, over UDP", () => {
  const wrong = observed(foretold);
  const counters = { ...wrong.counters, loss: wrong.counters.loss.slice(0, 2) };
  const read = byId(lossReadings([{ ...wrong, counters }]), 'loss-count');
  assert.deepEqual([read.verdict, read.note], ['refused', 'the link knows nothing of this sender']);
});

test('what was lost elsewhere cannot be told from random loss', () => {
  const dropped = observed([...foretold, 999]);
  const byQueue = lossReadings([{ ...dropped, counters: { ...dropped.counters, droppedPackets: 1 } }]);
  assert.deepEqual(
    [byId(byQueue, 'loss-list').verdict, byId(byQueue, 'loss-list').note],
    ['repeat', 'the queue dropped 1 packets'],
  );
  const byReceiver = lossReadings([observed([...foretold, 999], asked, { kernelDropped: 1 })]);
  assert.equal(byId(byReceiver, 'loss-list').verdict, 'repeat');
});

test('but nothing can save a packet that should have been lost', () => {
  const survived = observed(foretold.slice(1), asked, { kernelDropped: 1 });
  const list = byId(lossReadings([survived]), 'loss-list');
  assert.deepEqual([list.verdict, list.certain], ['refused', true]);
});
