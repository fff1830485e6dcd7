import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SuspendMeter } from '../../../../../harness/trial/collect/suspend.ts';
import { suspendFindings } from '../../../../../harness/trial/verdict.ts';

test('the time that the machine slept is what one clock counts and the other does not', () => {
  let clocks = { bootMs: 5000, monotonicMs: 1000 };
  const meter = new SuspendMeter(() => clocks);
  clocks = { bootMs: 65_010, monotonicMs: 61_000 };
  assert.equal(meter.sleptMs(), 10);
  clocks = { bootMs: 125_000, monotonicMs: 62_000 };
  assert.equal(meter.sleptMs(), 59_000);
});

test('a machine that does not sleep is not taken for one that does', async () => {
  const meter = new SuspendMeter();
  await new Promise(resolve => setTimeout(resolve, 300));
  assert.deepEqual(suspendFindings(meter.sleptMs()), []);
});

test('a trial in which the machine slept is void, whatever the timers say', () => {
  assert.deepEqual(suspendFindings(59_000), [
    { kind: 'host', status: 'invalid', message: 'the machine slept for 59 s' },
  ]);
  assert.deepEqual(suspendFindings(400), [{ kind: 'host', status: 'invalid', message: 'the machine slept for 0.4 s' }]);
});
