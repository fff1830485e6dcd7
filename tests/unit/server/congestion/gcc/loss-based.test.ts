import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LossBasedEstimate } from '../../../../../server/congestion/gcc/loss-based.ts';
import type { ReportedPacket } from '../../../../../server/congestion/gcc/loss-observations.ts';
import { near } from './near.ts';

/** Feeds observations: a packet every millisecond, with the rate `sendingBps` and a share of lost packets. */
class Feeder {
  readonly estimate = new LossBasedEstimate();
  #sentMs = 0;
  #sequence = 0;

  constructor() {
    this.estimate.setLimits(30e3, 1e9);
    this.estimate.update([{ sequence: this.#sequence++, sentMs: 0, sizeBytes: 0, received: true }], Infinity, false);
  }

  observe(
    count: number,
    sendingBps: number,
    lossRatio: number,
    delayBps: number,
    ackedBps = sendingBps * (1 - lossRatio),
    ms = 250,
  ): void {
    for (let i = 0; i < count; i++) {
      this.estimate.setAckedBps(ackedBps);
      const sizeBytes = (sendingBps / 8) * 0.001;
      const packets = Array.from({ length: ms }, (_, n): ReportedPacket => {
        this.#sentMs += 1;
        return {
          sequence: this.#sequence++,
          sentMs: this.#sentMs,
          sizeBytes,
          received: n >= Math.round(lossRatio * ms),
        };
      });
      this.estimate.update(packets, delayBps, false);
    }
  }
}

test('three observations make it ready; without losses the delay decides', () => {
  const feeder = new Feeder();
  feeder.observe(2, 1e6, 0, 1.2e6);
  assert.equal(feeder.estimate.isReady, false);
  feeder.observe(1, 1e6, 0, 1.2e6);
  assert.equal(feeder.estimate.isReady, true);
  near(feeder.estimate.rateBps, 1.2e6);
  assert.equal(feeder.estimate.state, 'delay-based');
});

test('it is not ready while there is no delay-based estimate', () => {
  const feeder = new Feeder();
  feeder.observe(5, 1e6, 0, Infinity);
  assert.equal(feeder.estimate.isReady, false);
});

test('losses are taken for congestion until the inherent share is learned: the acked bitrate remains', () => {
  const feeder = new Feeder();
  feeder.observe(3, 1e6, 0.04, 1e6);
  assert.equal(feeder.estimate.state, 'decreasing');
  near(feeder.estimate.rateBps, 1e6 * (1 - 0.04));
  // After some time a channel that loses 4 % at any rate explains the losses.
  feeder.observe(40, 960e3, 0.04, 1e6);
  assert.ok(Math.abs(feeder.estimate.inherentLossRatio - 0.04) < 0.005, `${feeder.estimate.inherentLossRatio}`);
});

test('above 5 % of loss the rate is bounded by 100 kbit/s over the excess, but not below the acked bitrate', () => {
  const feeder = new Feeder();
  feeder.observe(6, 3e6, 0.2, 3e6, 100e3);
  assert.equal(feeder.estimate.state, 'decreasing');
  assert.ok(feeder.estimate.rateBps <= 100e3 / (0.2 - 0.05) + 1, `${feeder.estimate.rateBps}`);
  const acked = new Feeder();
  acked.observe(6, 3e6, 0.2, 3e6, 1.8e6);
  near(acked.estimate.rateBps, 1.8e6);
});

/**
 * An observation with 60 % of loss at 2 Mbit/s while 400 kbit/s are acked, then two observations without loss.
 *
 * Estimate and hold rate are 400 kbit/s (100 kbit/s / (0.6 - 0.05) is less). The first hold is over, and a growth
 * window has started with the third observation. From the fourth on the average leaves out the worst observation, so it
 * is 0. The 1.1 Mbit/s sent without loss favour the highest candidate each time. They are more than half of 2 Mbit/s,
 * so the loss does not count as that of a burst. The delay would allow 2 Mbit/s.
 */
function afterLoss(): Feeder {
  const feeder = new Feeder();
  feeder.observe(1, 2e6, 0.6, 2e6, 400e3);
  near(feeder.estimate.rateBps, 400e3);
  feeder.observe(2, 1.1e6, 0, 2e6, 400e3);
  near(feeder.estimate.rateBps, 400e3);
  assert.equal(feeder.estimate.state, 'decreasing');
  return feeder;
}

test('growth after a loss: 1.2 x acked below 1.3 x the hold rate, 1.5 x above it, 1.3 x in 300 ms', () => {
  const feeder = afterLoss();
  feeder.observe(1, 1.1e6, 0, 2e6, 400e3);
  near(feeder.estimate.rateBps, 1.2 * 400e3, 'acked');
  assert.equal(feeder.estimate.state, 'increasing');
  feeder.observe(1, 1.1e6, 0, 2e6, 480e3);
  near(feeder.estimate.rateBps, 1.3 * 400e3, 'window, which ends here; 1.2 x 480 is more');
  feeder.observe(1, 1.1e6, 0, 2e6, 519e3);
  near(feeder.estimate.rateBps, 1.2 * 519e3, 'acked, still below 1.3 x 400');
  feeder.observe(1, 1.1e6, 0, 2e6, 520e3);
  near(feeder.estimate.rateBps, 1.3 * 520e3, 'window; 1.5 x 520 is more');
  feeder.observe(1, 1.1e6, 0, 2e6, 521e3);
  near(feeder.estimate.rateBps, 1.5 * 521e3, 'acked; 1.3 x 676 is more');
});

test('a window of growth lasts 300 ms', () => {
  for (const [ms, expectedBps] of [
    [300, 520e3],
    [301, 1.3 * 520e3],
  ] as const) {
    const feeder = afterLoss();
    feeder.observe(1, 1.1e6, 0, 2e6, 520e3, ms);
    near(feeder.estimate.rateBps, 520e3);
    // A new window has started at the last observation only if that ended more than 300 ms after the window's start.
    feeder.observe(1, 1.1e6, 0, 2e6, 520e3);
    near(feeder.estimate.rateBps, expectedBps, `${ms} ms`);
  }
});

/**
 * The estimate reaches 480 kbit/s with 400 kbit/s acked, and the acked bitrate stays there. Returns the feeder `ms`
 * later.
 */
function stalled(ms: number): Feeder {
  const feeder = afterLoss();
  feeder.observe(1, 1.1e6, 0, 2e6, 400e3);
  near(feeder.estimate.rateBps, 480e3);
  feeder.observe(1, 1.1e6, 0, 2e6, 400e3, ms);
  near(feeder.estimate.rateBps, 480e3);
  return feeder;
}

test('an increase that stands still is over after 2 s', () => {
  assert.equal(stalled(2000).estimate.state, 'increasing');
  assert.equal(stalled(2001).estimate.state, 'decreasing');
});

test('the second hold lasts 600 ms, at the acked bitrate where that is more', () => {
  const held = stalled(2001);
  held.observe(1, 1.1e6, 0, 2e6, 470e3, 599);
  near(held.estimate.rateBps, 480e3);
  assert.equal(held.estimate.state, 'decreasing');
  const over = stalled(2001);
  over.observe(1, 1.1e6, 0, 2e6, 470e3, 600);
  near(over.estimate.rateBps, 1.2 * 470e3);
  assert.equal(over.estimate.state, 'increasing');
  const lifted = stalled(2001);
  lifted.observe(1, 1.1e6, 0, 2e6, 500e3, 599);
  near(lifted.estimate.rateBps, 500e3);
  assert.equal(lifted.estimate.state, 'decreasing');
});

test('the way up ends where the delay decides', () => {
  const feeder = afterLoss();
  for (let i = 0; i < 40 && feeder.estimate.state !== 'delay-based'; i++)
    feeder.observe(1, 1.1e6, 0, 2e6, feeder.estimate.rateBps);
  assert.equal(feeder.estimate.state, 'delay-based');
  near(feeder.estimate.rateBps, 2e6);
});

test('no growth while the average loss is above the inherent one', () => {
  const feeder = afterLoss();
  // The observation with 60 % and the best one are left out; 4 of 250 packets in the others are 1.6 %.
  feeder.observe(4, 1.1e6, 0.016, 2e6, 400e3);
  near(feeder.estimate.rateBps, 400e3);
});

test('the rate is never below the minimum', () => {
  const feeder = new Feeder();
  feeder.observe(20, 500e3, 0.9, 500e3, 1e3);
  near(feeder.estimate.rateBps, 30e3);
});
