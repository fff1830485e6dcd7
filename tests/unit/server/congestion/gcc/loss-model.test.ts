import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  bandwidthBias,
  feasibleInherentLoss,
  fitInherentLoss,
  lossProbability,
  objective,
} from '../../../../../server/congestion/gcc/loss-model.ts';
import { LossObservations } from '../../../../../server/congestion/gcc/loss-observations.ts';
import { near } from './near.ts';

/** Returns an observation of 100 packets of 1000 bytes in 1 s (800 kbit/s); `lost` of them are missing. */
function observed(lost: number): LossObservations {
  const observations = new LossObservations();
  observations.add(
    Array.from({ length: 101 }, (_, i) => ({
      sequence: i,
      sentMs: 10 * i,
      sizeBytes: i === 0 ? 0 : 1000,
      received: i === 0 || i > lost,
    })),
  );
  return observations;
}

test('a channel loses its inherent share, and what is sent above its bandwidth', () => {
  const channel = { bandwidthBps: 1e6, inherentLossRatio: 0.1 };
  near(lossProbability(channel, 500e3), 0.1);
  near(lossProbability(channel, 1e6), 0.1);
  // 0.1 + 0.9 x (1.25 - 1) / 1.25.
  near(lossProbability(channel, 1.25e6), 0.1 + 0.9 * 0.2);
  near(lossProbability({ bandwidthBps: 1e6, inherentLossRatio: 0 }, 500e3), 1e-6);
  near(lossProbability({ bandwidthBps: 1e6, inherentLossRatio: 1 }, 500e3), 1 - 1e-6);
});

test('inherent loss lies between 0.001 and 0.05 + 100 kbit/s over the bandwidth', () => {
  near(feasibleInherentLoss(0, 1e6), 0.001);
  near(feasibleInherentLoss(0.5, 1e6), 0.05 + 0.1);
  near(feasibleInherentLoss(0.5, 2e6), 0.05 + 0.05);
  near(feasibleInherentLoss(2, 50e3), 1);
});

test('inherent loss takes three quarters of a Newton step', () => {
  // At p = 0.01: 10 kB lost, 90 kB received.
  const first = 10 / 0.01 - 90 / 0.99;
  const second = -(10 / 0.01 ** 2 + 90 / 0.99 ** 2);
  const fitted = fitInherentLoss({ bandwidthBps: 1e6, inherentLossRatio: 0.01 }, observed(10));
  near(fitted.inherentLossRatio, 0.01 - (0.75 * first) / second);
  assert.equal(fitted.bandwidthBps, 1e6);
  // From p = 0.1, the actual loss, the fit does not move.
  near(fitInherentLoss({ bandwidthBps: 1e6, inherentLossRatio: 0.1 }, observed(10)).inherentLossRatio, 0.1);
});

test('the preference for bandwidth turns at 20 % of loss', () => {
  const kbps = 1000;
  const preference = 0.0002 * kbps + 0.02 * Math.log(1 + kbps);
  near(bandwidthBias(1e6, 0), (preference * 0.2) / 0.202);
  near(bandwidthBias(1e6, 0.2), 0);
  near(bandwidthBias(1e6, 0.3), (-preference * 0.1) / 0.102);
});

test('the objective is the log-likelihood per kilobyte plus the preference', () => {
  const observations = observed(10);
  near(observations.averageLossRatio, 0.1);
  const expected = 10 * Math.log(0.1) + 90 * Math.log(0.9) + 100 * bandwidthBias(1e6, 0.1);
  near(objective({ bandwidthBps: 1e6, inherentLossRatio: 0.1 }, observations), expected);
});

test('without observations a channel stays as it is', () => {
  const channel = { bandwidthBps: 1e6, inherentLossRatio: 0.03 };
  assert.deepEqual(fitInherentLoss(channel, new LossObservations()), channel);
});
