/** DualPI2 in virtual time. Gains for an update of 16 ms: alpha 0.16, beta 3 (RFC 9332, appendix A.1). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EcnField } from '../../../../core/vocabulary/ecn.ts';
import { DualPi2 } from '../../../../harness/virtual/dual-pi2.ts';
import { Link } from '../../../../harness/virtual/link.ts';

const law = { kind: 'dualpi2', targetMs: 15, updateMs: 16, stepMs: 1, coupling: 2 } as const;

/** Lets packets leave every 4 ms, each after the same wait. Returns what happened to each. */
function left(waitedMs: number, ecn: EcnField, { behind = 1, packets = 4000, stepMs = 1 } = {}) {
  const aqm = new DualPi2({ ...law, stepMs });
  return Array.from({ length: packets }, (_, k) =>
    aqm.leave({ arrivedMs: 4 * k, startsMs: 4 * k + waitedMs, behind, ecn }),
  );
}

const shareOf = (all: readonly string[], what: string) => all.filter(one => one === what).length / all.length;

test('the native ramp marks none below 0.8 steps, half of the packets at one step, and all from 1.2 steps on', () => {
  assert.equal(shareOf(left(0.8, 'ect1'), 'marked'), 0);
  assert.ok(Math.abs(shareOf(left(1, 'ect1'), 'marked') - 0.5) < 0.001);
  assert.ok(shareOf(left(1.2, 'ect1'), 'marked') > 0.999);
  assert.equal(shareOf(left(1.2, 'ect1', { behind: 0 }), 'marked'), 0);
});

test('the base probability rises by both gains while the delay is above its target', () => {
  // the first update comes 16 ms after the first packet left: 0.16 x (0.025 - 0.015) + 3 x 0.025 = 0.0766;
  // the later ones add 0.0016 each, four packets apart
  const marked = left(25, 'ect1', { packets: 21, stepMs: 100 });
  const coupled = [...Array(4).fill(0), ...Array(4).fill(0.1532), ...Array(4).fill(0.1564), ...Array(4).fill(0.1596)];
  let count = 0;
  const expected = coupled.map(ratio => {
    count += ratio;
    if (count <= 1) return 'passes';
    count -= 1;
    return 'marked';
  });
  assert.deepEqual(marked.slice(0, expected.length), expected);
  assert.ok(expected.includes('marked'));
});

test('classic packets are dropped by the square of the base probability, and marked if they have ECT(0)', () => {
  // 160 updates of 0.0016 after 0.0766: the base probability ends near 0.33, its square below 1/4
  const packets = 640;
  const dropped = shareOf(left(25, 'not-ect', { packets }), 'dropped');
  assert.equal(shareOf(left(25, 'ect0', { packets }), 'marked'), dropped);
  // mean of (0.0766 + 0.0016 k)^2 over k = 0 to 159
  const squares = Array.from({ length: 160 }, (_, k) => (0.0766 + 0.0016 * k) ** 2);
  const mean = squares.reduce((sum, value) => sum + value, 0) / 160;
  assert.ok(Math.abs(dropped - mean) < 0.004, `${dropped} of ${mean}`);
  assert.ok(shareOf(left(25, 'ect0'), 'dropped') > 0);
});

test('a link knows the marks of a packet when it has left, by what waits behind it', () => {
  const options = { steps: [{ atMs: 0, rateBps: 1e6 }], queueBytes: 1e6, oneWayMs: 0, seed: 1 };
  const link = new Link({ ...options, dualPi2: { ...law, targetMs: 1000 } });
  // 10 ms each, so all but the first wait, and nothing is behind the last; marks are spread, so the first is one late
  const fates = [0, 1, 2, 3].map(ms => link.fateOf(1250, ms, 'ect1'));
  const marks = fates.map(fate => fate.kind === 'arrives' && fate.isMarked!());
  assert.deepEqual(marks, [false, false, true, false]);
  assert.deepEqual(new Link(options).fateOf(1250, 0, 'ect1'), { kind: 'arrives', atMs: 10, queueMs: 10 });
});
