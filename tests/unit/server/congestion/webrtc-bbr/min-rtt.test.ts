import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MinRtt, type MinRttOptions } from '../../../../../server/congestion/webrtc-bbr/min-rtt.ts';

function minRtt(options: Partial<MinRttOptions> = {}): MinRtt {
  return new MinRtt({ expiryMs: 10e3, similar: 'off', skipIfAppLimited: false, ...options });
}

test('100 ms until there is a sample, then the lowest', () => {
  const rtt = minRtt();
  assert.equal(rtt.ms, 100);
  rtt.add(150, 0);
  rtt.add(120, 10);
  rtt.add(140, 20);
  assert.equal(rtt.ms, 120);
  assert.equal(rtt.riseMs, 20);
});

test('it expires 10 s after it was set, and then takes the present sample', () => {
  const rtt = minRtt();
  assert.equal(rtt.add(50, 0), false, 'the first has nothing to expire');
  assert.equal(rtt.add(80, 10_000), false);
  assert.equal(rtt.ms, 50);
  assert.equal(rtt.add(80, 10_001), true);
  assert.equal(rtt.ms, 80);
  assert.equal(rtt.add(80, 10_100), false, 'its time runs anew');
});

test('an equal sample does not renew it, a lower one does', () => {
  const rtt = minRtt();
  rtt.add(50, 0);
  rtt.add(50, 9000);
  assert.equal(rtt.add(60, 10_001), true);
  const renewed = minRtt();
  renewed.add(50, 0);
  renewed.add(49, 9000);
  assert.equal(renewed.add(60, 10_001), false);
});

test('the end of a probe starts its time anew', () => {
  const rtt = minRtt();
  rtt.add(50, 0);
  rtt.onProbed(5000);
  assert.equal(rtt.add(60, 15_000), false);
  assert.equal(rtt.add(60, 15_001), true);
});

test('similar, always: a sample within 12.5 % spares the probe and leaves the number', () => {
  for (const [sampleMs, isProbe, minMs] of [
    [56.25, false, 50],
    [56.3, true, 56.3],
    [45, false, 45],
  ] as const) {
    const rtt = minRtt({ similar: 'always' });
    rtt.add(50, 0);
    assert.equal(rtt.add(sampleMs, 10_001), isProbe, `${sampleMs}`);
    assert.equal(rtt.ms, minMs);
    assert.equal(rtt.renewals, isProbe ? 0 : 1);
    assert.equal(rtt.add(70, 15_000), false, 'its time runs anew');
  }
});

test('similar, if application-limited: the lowest sample since the last probe decides', () => {
  for (const [isAppLimited, isProbe] of [
    [true, false],
    [false, true],
  ]) {
    const rtt = minRtt({ similar: 'if-app-limited' });
    rtt.add(50, 0);
    if (isAppLimited) rtt.onAppLimited();
    rtt.add(55, 5000);
    assert.equal(rtt.add(90, 10_001), isProbe);
  }
  const higher = minRtt({ similar: 'if-app-limited' });
  higher.add(50, 0);
  higher.onAppLimited();
  assert.equal(higher.add(60, 10_001), true, 'more than 12.5 %');
});

test('without a rule an application-limited phase changes nothing; with "skip" it alone spares the probe, once', () => {
  for (const skipIfAppLimited of [false, true]) {
    const rtt = minRtt({ skipIfAppLimited });
    rtt.add(50, 0);
    rtt.onAppLimited();
    assert.equal(rtt.add(90, 10_001), !skipIfAppLimited);
    assert.equal(rtt.add(90, 20_002), true);
  }
});
