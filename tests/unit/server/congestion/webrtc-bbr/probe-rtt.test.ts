import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProbeRtt } from '../../../../../server/congestion/webrtc-bbr/probe-rtt.ts';

const windowBytes = 5840;

function update(probe: ProbeRtt, nowMs: number, inFlightBytes: number, isRoundStart = false): boolean {
  return probe.update({ nowMs, inFlightBytes, windowBytes, isRoundStart });
}

test('200 ms and a round, from when the flight is small', () => {
  const probe = new ProbeRtt();
  probe.start();
  assert.equal(update(probe, 0, windowBytes + 1452), false);
  assert.equal(update(probe, 500, windowBytes + 1451), false, 'the time starts here');
  assert.equal(update(probe, 699, 0, true), false);
  assert.equal(update(probe, 700, 0), true);
});

test('the round counts from then on, too', () => {
  const probe = new ProbeRtt();
  probe.start();
  update(probe, 0, 0, true);
  assert.equal(update(probe, 1000, 0), false);
  assert.equal(update(probe, 1001, 0, true), true);
});

test('a new probe starts anew', () => {
  const probe = new ProbeRtt();
  probe.start();
  update(probe, 0, 0);
  update(probe, 300, 0, true);
  probe.start();
  assert.equal(update(probe, 400, 0, true), false);
  assert.equal(update(probe, 650, 0), false);
});
