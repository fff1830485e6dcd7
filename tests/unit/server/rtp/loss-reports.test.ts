import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LossReports } from '../../../../server/rtp/loss-reports.ts';

const block = (ssrc: number, highestSequence: number, cumulativeLost: number) => ({
  ssrc,
  highestSequence,
  cumulativeLost,
  fractionLost: 0,
  jitter: 0,
  lastSenderReport: 0,
  delaySinceLastSenderReport: 0,
});

test('losses since the report before, over all streams', () => {
  const reports = new LossReports();
  assert.equal(reports.add([block(1, 1000, 3)]), undefined, 'nothing to compare with');
  assert.deepEqual(reports.add([block(1, 1100, 8), block(2, 500, 0)]), { lostPackets: 5, expectedPackets: 100 });
  assert.deepEqual(reports.add([block(1, 1150, 8), block(2, 520, 4)]), { lostPackets: 4, expectedPackets: 70 });
  assert.deepEqual(reports.add([block(1, 1160, 7)]), { lostPackets: -1, expectedPackets: 10 }, 'packets twice');
});

test('a report in which nothing arrived says nothing', () => {
  const reports = new LossReports();
  reports.add([block(1, 1000, 0)]);
  assert.equal(reports.add([block(1, 1000, 0)]), undefined);
  assert.equal(reports.add([block(1, 1020, 20)]), undefined);
  assert.deepEqual(reports.add([block(1, 1030, 20)]), { lostPackets: 0, expectedPackets: 10 });
});
