import assert from 'node:assert/strict';
import { test } from 'node:test';
import { externalLossFindings } from '../../../../harness/runner/external-loss.ts';

const findings = (sentPackets: number, receivedPackets: number) =>
  externalLossFindings({ sentPackets, receivedPackets, mostRatio: 0.0005 });

test('packets between two readings are no loss', () => {
  assert.deepEqual(findings(100_000, 99_980), []);
  assert.deepEqual(findings(100_000, 100_003), []);
  assert.deepEqual(findings(100_000, 99_930), []); // 20 and one in two thousand
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
