import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inLightOf } from '../../../../shaper/calibrate/judge.ts';
import { lineRatePackets } from '../../../../shaper/calibrate/packets.ts';
import type { TrainPlan } from '../../../../shaper/calibrate/plan.ts';
import { dispersionRatio, readTrain, trainReadings } from '../../../../shaper/calibrate/trains.ts';
import { arrival, byId, link, rateBps, verdicts } from './hand-made.ts';

const plan: TrainPlan = { payloadBytes: 1472, trainPackets: 20, trains: 20, everyMs: 122 };
/** Departure of packet k of a train from a token bucket of `bucketBytes`, ms after the first; 1514 bytes take 1 ms. */
const leavesMs = (k: number, bucketBytes: number) => Math.max(0, k - bucketBytes / 1514);
const train = (bucketBytes: number, index = 0, sendGapMs = 0.01) =>
  Array.from({ length: 20 }, (_, k) =>
    arrival(20 * index + k, 122 * index + k * sendGapMs, 122 * index + 0.05 + leavesMs(k, bucketBytes) + k * 1e-6),
  );
const trains = (bucketBytes: number, count = 20, sendGapMs = 0.01) =>
  Array.from({ length: count }, (_, i) => train(bucketBytes, i, sendGapMs)).flat();
const near = (a: number, b: number) => assert.ok(Math.abs(a / b - 1) < 1e-3, `${a} is not ${b}`);

test('the theory gives what was measured of HTB', () => {
  // shaper at 8 Mbit/s: 8.47 with a bucket of 1600 bytes; twice the rate with 15 kB
  near(8 * dispersionRatio(20, 1514, 1600), 8.471);
  near(8 * dispersionRatio(20, 1514, 15_000), 16.71);
  assert.equal(dispersionRatio(20, 1514, 0), 1);
  assert.deepEqual(
    [0, 700, 1514, 1600, 3028, 15_000].map(bytes => lineRatePackets(1514, bytes)),
    [1, 1, 2, 2, 3, 11],
  );
});

test('one train', () => {
  const htb = readTrain(link(), plan, train(1600))!;
  near(htb.dispersionBps, rateBps * dispersionRatio(20, 1514, 1600));
  near(htb.steadyBps, rateBps);
  assert.equal(htb.lineRatePackets, 2);
  const steady = readTrain(link(), plan, train(0))!;
  near(steady.dispersionBps, rateBps);
  assert.equal(steady.lineRatePackets, 1);
  assert.equal(readTrain(link(), plan, train(15_000))!.lineRatePackets, 11);
});

test('a train that lost a packet, or was sent too slowly, is none', () => {
  assert.equal(readTrain(link(), plan, train(1600).slice(1)), undefined);
  assert.equal(readTrain(link(), plan, train(1600, 0, 0.6)), undefined);
  assert.equal(readTrain(link(), plan, []), undefined);
});

test('what is foretold of a bucket is what is counted', () => {
  for (const bytes of [0, 700, 800, 1600, 2200, 2500, 5000])
    assert.equal(readTrain(link(), plan, train(bytes))!.lineRatePackets, lineRatePackets(1514, bytes), String(bytes));
});

test('the bucket that was asked for passes, on token buckets and on links of constant rate', () => {
  const ok = { 'train-dispersion': 'ok', 'train-rate': 'ok', 'line-rate-packets': 'ok' };
  assert.deepEqual(verdicts(trainReadings(link(), plan, trains(1600))), ok);
  assert.deepEqual(verdicts(trainReadings(link({ bucketBytes: 0 }), plan, trains(0))), ok);
});

test('a bucket that nobody asked for is refused', () => {
  assert.deepEqual(verdicts(trainReadings(link(), plan, trains(15_000))), {
    'train-dispersion': 'refused',
    'train-rate': 'ok',
    'line-rate-packets': 'refused',
  });
  assert.equal(byId(trainReadings(link(), plan, trains(15_000)), 'line-rate-packets').measured, 11);
  assert.equal(
    byId(trainReadings(link({ bucketBytes: 0 }), plan, trains(1600)), 'train-dispersion').verdict,
    'refused',
  );
});

test('so is a wrong rate inside the trains', () => {
  assert.deepEqual(verdicts(trainReadings(link({ rateBps: rateBps * 0.95 }), plan, trains(1600))), {
    'train-dispersion': 'refused',
    'train-rate': 'refused',
    'line-rate-packets': 'ok',
  });
});

test('a few torn trains do not matter; when most are torn it is to be repeated', () => {
  const some = trainReadings(link(), plan, [
    ...trains(1600, 12),
    ...trains(1600, 20, 0.6).filter(({ sequence }) => sequence >= 240),
  ]);
  assert.equal(byId(some, 'train-rate').note, '12 of 20 trains were whole');
  assert.ok(some.every(({ verdict }) => verdict === 'ok'));
  assert.ok(trainReadings(link(), plan, trains(1600, 20, 0.6)).every(({ verdict }) => verdict === 'repeat'));
  assert.ok(trainReadings(link(), plan, trains(1600, 9)).every(({ verdict }) => verdict === 'repeat'));
});

test('without a plan there is a reason', () => {
  const readings = trainReadings(link({ rateBps: 1e9 }), null, []);
  assert.deepEqual(verdicts(readings), {
    'train-dispersion': 'skipped',
    'train-rate': 'skipped',
    'line-rate-packets': 'skipped',
  });
  assert.match(readings[0]!.note!, /too fast/);
});

test('a link that serialises lets one packet go at line rate, a token bucket two', () => {
  assert.deepEqual(
    [0, 1600].map(
      bucketBytes =>
        byId(trainReadings(link({ bucketBytes }), plan, trains(bucketBytes)), 'line-rate-packets').tolerance.high,
    ),
    [1, 2],
  );
  assert.equal(
    byId(trainReadings(link({ bucketBytes: 0 }), plan, trains(1600)), 'line-rate-packets').verdict,
    'refused',
  );
});

test('trains that the queue has torn refuse it, those that nobody dropped say nothing', () => {
  const torn = trains(0).filter(({ sequence }) => sequence % plan.trainPackets !== 3);
  const codel = link({
    bucketBytes: 0,
    discipline: {
      title: 'CoDel',
      law: { kind: 'codel', targetMs: 5, intervalMs: 100, sparedBytes: 1514 },
      roomPackets: 1000,
    },
  });
  const dropped = trainReadings(codel, plan, torn, 20);
  assert.deepEqual(new Set(dropped.map(({ verdict }) => verdict)), new Set(['refused']));
  assert.match(
    dropped[0]!.note!,
    /^0 of 20 trains were whole: the queue dropped 20 packets that CoDel would not drop$/,
  );
  const late = inLightOf('the machine was held up', dropped);
  assert.deepEqual(new Set(late.map(({ verdict }) => verdict)), new Set(['repeat']));
  const lost = trainReadings(codel, plan, torn, 0);
  assert.deepEqual(new Set(lost.map(({ verdict }) => verdict)), new Set(['repeat']));
});

test('where no train is sent, it is said why', () => {
  const why = (change: object) => trainReadings(link(change), null, [])[0]!.note;
  assert.match(why({ rateBps: 1e9 })!, /too fast for the sender/);
  assert.match(why({ limitPackets: 2 })!, /the queue is too short for a train$/);
  assert.match(
    why({ discipline: { title: 'X', law: null, roomPackets: 9 } })!,
    /when it drops packets is not said in X/,
  );
});

test('a clock of 1 ms makes the rate of a train uncertain by a tick', () => {
  const high = (stepMs?: number) =>
    byId(trainReadings(link(stepMs === undefined ? {} : { stepMs }), plan, trains(1600)), 'train-rate').tolerance.high;
  // 19 packets take 19 ms
  assert.ok(Math.abs((high(1) - high()) / link().rateBps - 1 / 19) < 1e-9);
});
