import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HeavyLoss } from '../../../../../server/congestion/copa/heavy-loss.ts';

const loopMs = 100;

test('more than 30 % of more than 20 packets in two loops or more', () => {
  const heavy = (packets: number, lost: number, nowMs: number) => {
    const loss = new HeavyLoss();
    loss.update(0, 0, 0, loopMs);
    return loss.update(packets, lost, nowMs, loopMs);
  };
  assert.equal(heavy(100, 31, 200), true);
  assert.equal(heavy(100, 30, 200), false);
  assert.equal(heavy(100, 31, 199), false);
  assert.equal(heavy(20, 20, 200), false);
  assert.equal(heavy(21, 7, 200), true);
});

test('packets are gathered until there are enough, and then anew', () => {
  const loss = new HeavyLoss();
  const found = [0, 50, 100, 150, 200, 250, 300, 350, 400, 450].map(nowMs => loss.update(5, 2, nowMs, loopMs));
  assert.deepEqual(found, [false, false, false, false, true, false, false, false, false, true]);
});
