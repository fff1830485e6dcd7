import assert from 'node:assert/strict';
import { test } from 'node:test';
import { externalLossFindings, longestToQueueMs, unreachedFindings } from '../../../../harness/trial/external-loss.ts';

const findings = (sentPackets: number, receivedPackets: number) =>
  externalLossFindings({ sentPackets, receivedPackets, mostRatio: 0.0005 });

test('packets between two readings are no loss', () => {
  assert.deepEqual(findings(100_000, 99_980), []);
  assert.deepEqual(findings(100_000, 100_003), []);
  assert.deepEqual(findings(100_000, 99_930), []); // 70 lost: 20, and 1 in 2000
});

test('more than that voids the trial, and says how many', () => {
  assert.deepEqual(findings(100_000, 99_929), [
    {
      kind: 'link',
      status: 'invalid',
      message: '71 of 100000 packets that left the bottleneck never came to a client',
    },
  ]);
});

test('what a media server counts as sent has come to the bottleneck, but for what may be on its way', () => {
  const samples = [500, 1000, 1500].map((sentPackets, k) => ({ timeMs: 1000 * (k + 1), sentPackets }));
  const of = (reachedPackets: number, untilMs = 2500) => unreachedFindings({ samples, reachedPackets, untilMs });
  assert.deepEqual(of(980), []);
  assert.deepEqual(of(1400), []); // 400 more than in the last sample before `untilMs`: sent after it
  assert.deepEqual(of(0, 999), []); // no sample before `untilMs`
  assert.deepEqual(of(979), [
    {
      kind: 'failure',
      status: 'invalid',
      message: '21 of 1000 packets that the media server counts as sent never came to the bottleneck',
    },
  ]);
});

test('the longest path says within what time a packet comes to the bottleneck', () => {
  const path = { downMs: 20, upMs: 5, rttMs: null, jitterMs: 0, reorder: null, duplicateRatio: 0 };
  const paths = { near: path, far: { ...path, downMs: 300, jitterMs: 40, reorder: { ratio: 0.1, delayMs: 60 } } };
  assert.equal(longestToQueueMs({ paths }), 1400);
});
