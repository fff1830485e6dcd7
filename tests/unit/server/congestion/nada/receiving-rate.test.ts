import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReceivingRate } from '../../../../../server/congestion/nada/receiving-rate.ts';

/** 1000 bytes every 10 ms: 800 kbit/s. */
const steady = (fromMs: number, count: number) =>
  Array.from({ length: count }, (_, i) => ({ receivedMs: fromMs + 10 * i, sizeBytes: 1000 }));

test('bytes of the window over the window', () => {
  const rate = new ReceivingRate(500);
  assert.equal(rate.rateBps, 0);
  rate.add(steady(1e6, 25));
  assert.equal(rate.rateBps, 400e3, 'half a window so far');
  rate.add(steady(1e6 + 250, 100));
  assert.equal(rate.rateBps, 800e3);
  rate.add([]);
  assert.equal(rate.rateBps, 800e3);
});

test("when the receiver's clock jumps, either way, what came before is of no use", () => {
  for (const jumpMs of [60e3, -60e3]) {
    const rate = new ReceivingRate(500);
    rate.add(steady(1e6, 100));
    rate.add(steady(1e6 + jumpMs, 1));
    assert.equal(rate.rateBps, (1000 * 8000) / 500);
  }
});
