import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../../../core/random.ts';
import {
  type ClockEstimate,
  type ClockSample,
  driftOf,
  estimateClock,
  offsetAt,
  roundTripUs,
} from '../../../../core/system/clock-estimate.ts';

/** Another clock: its time in us as a function of the true time in us. */
type Clock = (atUs: number) => number;
/** Delays in each direction, us, at least the base delay of the path. */
type Path = { there(): number; back(): number };

function probe(clock: Clock, { there, back }: Path, atUs: number): ClockSample {
  const arrived = atUs + there();
  const left = arrived + 30;
  return { t1: atUs, t2: clock(arrived), t3: clock(left), t4: left + back() };
}

const burst = (clock: Clock, path: Path, fromUs: number, count = 40): ClockSample[] =>
  Array.from({ length: count }, (_, k) => probe(clock, path, fromUs + k * 5000));

/** True if the true offset lies within the stated uncertainty at twenty times of a trial. */
function isTrue(estimate: ClockEstimate, clock: Clock, fromUs: number, toUs: number): boolean {
  return Array.from({ length: 20 }, (_, k) => fromUs + ((toUs - fromUs) * k) / 19).every(atUs => {
    const { offsetUs, uncertaintyUs } = offsetAt(estimate, atUs);
    return Math.abs(offsetUs - (clock(atUs) - atUs)) <= uncertaintyUs + 1e-6;
  });
}

const trialUs = 60e6;

test('by hand: an even path shows the offset itself', () => {
  const samples = [{ t1: 0, t2: 1100, t3: 1130, t4: 230 }];
  assert.equal(roundTripUs(samples[0]!), 200);
  const estimate = estimateClock(samples)!;
  assert.deepEqual(offsetAt(estimate, 115), { offsetUs: 1000, uncertaintyUs: 100 });
  assert.equal(driftOf(estimate), null);
  assert.equal(estimateClock([]), undefined);
  assert.equal(estimateClock([], samples), undefined);
});

test('by hand: drift between two bursts, and a wider bound outside of them', () => {
  const at = (t1: number, offset: number): ClockSample => ({
    t1,
    t2: t1 + 100 + offset,
    t3: t1 + 100 + offset,
    t4: t1 + 200,
  });
  const estimate = estimateClock([at(0, 1000)], [at(10e6, 1200)])!;
  assert.deepEqual(driftOf(estimate), { driftPpm: 20, uncertaintyPpm: 20 });
  assert.deepEqual(offsetAt(estimate, 5e6 + 100), { offsetUs: 1100, uncertaintyUs: 100 });
  assert.deepEqual(offsetAt(estimate, 20e6 + 100), { offsetUs: 1400, uncertaintyUs: 300 });
});

/** Base delays of the two directions and the mean delays that queues add in each, us. */
const paths: Record<string, [there: number, back: number, noiseThere: number, noiseBack: number]> = {
  'quiet and even': [50, 50, 5, 5],
  'noisy both ways': [100, 100, 300, 300],
  'noisy one way': [100, 100, 2000, 5],
  'one way much longer than the other': [20, 900, 50, 50],
  'longer and noisy one way': [600, 40, 1500, 20],
};

for (const [name, [there, back, noiseThere, noiseBack]] of Object.entries(paths)) {
  test(`${name}: the true offset is within the stated uncertainty in at least 95 of 100 trials`, () => {
    let right = 0;
    const uncertainties: number[] = [];
    for (let seed = 1; seed <= 100; seed++) {
      const random = seededRandom(seed);
      const drift = (random.next() - 0.5) * 200e-6;
      const offset = (random.next() - 0.5) * 1e9;
      const clock: Clock = atUs => atUs + offset + drift * atUs;
      const queueing = (meanUs: number) => -Math.log(1 - random.next()) * meanUs;
      const path = { there: () => there + queueing(noiseThere), back: () => back + queueing(noiseBack) };
      const estimate = estimateClock(burst(clock, path, 0), burst(clock, path, trialUs))!;
      if (isTrue(estimate, clock, 0, trialUs)) right++;
      uncertainties.push(offsetAt(estimate, trialUs / 2).uncertaintyUs);
      const { driftPpm, uncertaintyPpm } = driftOf(estimate)!;
      assert.ok(Math.abs(driftPpm - drift * 1e6) <= uncertaintyPpm + 1e-3);
    }
    assert.ok(right >= 95, `${right} of 100`);
    // at most what the path allows: half the base round trip plus a part of the noise in every probe
    const median = uncertainties.sort((a, b) => a - b)[50]!;
    assert.ok(median <= (there + back) / 2 + 0.3 * (noiseThere + noiseBack), `median uncertainty ${median} us`);
    assert.ok(median >= (there + back) / 2, `median uncertainty ${median} us is less than the path allows`);
  });
}

test('a clock that was stepped within a burst, or runs unevenly, widens the uncertainty', () => {
  const even: Path = { there: () => 100, back: () => 100 };
  const steady = estimateClock(
    burst(t => t, even, 0),
    burst(t => t, even, trialUs),
  )!;
  assert.equal(steady.residualUs, 0);
  const stepped: Clock = atUs => atUs + (atUs > trialUs + 100_000 ? 5000 : 0);
  const estimate = estimateClock(burst(stepped, even, 0), burst(stepped, even, trialUs))!;
  assert.ok(estimate.residualUs > 4000, `${estimate.residualUs} us`);
});
