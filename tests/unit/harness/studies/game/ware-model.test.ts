import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bbrShare } from '../../../../../harness/studies/game/ware-model.ts';

const link = { rateBps: 20e6, rttMs: 40 };
const share = (bdps: number, bbrFlows = 1) => bbrShare({ ...link, bufferBytes: bdps * 100_000, bbrFlows });

test('the share that makes in-flight cap and data in flight equal solves the equation it was derived from (7, 8, 9)', () => {
  const [q, c, l, n] = [400_000 / 1500, 20e6 / 8 / 1500, 0.04, 2];
  const p = 1 / 2 - 1 / (2 * 4) - (4 * n) / q;
  assert.ok(Math.abs(2 * (1 - p) * c * ((p * q + 4 * n) / c + l) - ((1 - p) * q + (1 - p) * c * l)) < 1e-9);
  const probing = (q / c + 0.2 + l) / 10;
  assert.ok(Math.abs(share(4, n)! - (1 - p) * (1 - probing)) < 1e-12);
});

test('a deeper buffer leaves BBR less, more BBR flows take a little more, and a shallow one is outside the model', () => {
  assert.deepEqual(
    [2, 4, 8, 16].map(bdps => Number(share(bdps)!.toFixed(2))),
    [0.76, 0.61, 0.54, 0.49],
  );
  assert.ok(share(4, 6)! > share(4, 1)!);
  assert.equal(share(1), null);
});

test('in a very deep queue over a short path one BBR flow has half of the link, as the authors say', () => {
  const half = bbrShare({ rateBps: 1e9, rttMs: 1, bufferBytes: 100 * 125_000, bbrFlows: 1 })!;
  assert.ok(Math.abs(half - 0.5) < 0.02, String(half));
});
