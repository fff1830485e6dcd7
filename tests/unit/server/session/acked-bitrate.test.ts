import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AckedBitrate } from '../../../../server/session/acked-bitrate.ts';

test('what the feedback of the last second told of', () => {
  const rate = new AckedBitrate();
  assert.equal(rate.bps(0), undefined);
  rate.add(100, 0);
  assert.equal(rate.bps(100), 0);
  rate.add(200, 1000);
  rate.add(700, 500);
  assert.deepEqual(
    [700, 1199, 1200, 1700].map(nowMs => rate.bps(nowMs)),
    [12_000, 12_000, 4000, 0],
  );
});
