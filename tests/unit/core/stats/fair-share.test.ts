import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../../../core/random.ts';
import { harm, jainIndex, maxMinParts, maxMinShares } from '../../../../core/stats/fair-share.ts';

test("Jain's index: 1 for equal rates, 1/n where one has everything", () => {
  assert.equal(jainIndex(5, 5), 1);
  assert.equal(jainIndex(5, 0), 0.5);
  assert.equal(jainIndex(1, 3), 16 / 20);
  assert.equal(jainIndex(4, 0, 0, 0), 0.25);
  assert.equal(jainIndex(1, 2, 3), 36 / 42);
  assert.equal(jainIndex(0, 0), null);
  assert.equal(jainIndex(1.04, 37.27)!.toFixed(2), '0.53'); // value of Table 1 of Juntima et al.
  assert.equal(jainIndex(2e6, 7e6), jainIndex(7, 2));
});

test('max-min fair parts, worked by hand', () => {
  const endless = Infinity;
  assert.deepEqual(maxMinParts(50, [13, endless]), [13, 37]);
  assert.deepEqual(maxMinParts(8, [13, 8]), [4, 4]);
  assert.deepEqual(maxMinParts(8, [1.5, 2.6]), [1.5, 2.6]);
  assert.deepEqual(maxMinParts(50, [45, endless]), [25, 25]);
  assert.deepEqual(maxMinParts(50, [13, 14, endless]), [13, 14, 23]);
  assert.deepEqual(
    maxMinParts(10, [5, 2, 2.6, 4]).map(part => Number(part.toFixed(9))),
    [2.7, 2, 2.6, 2.7],
  ); // Keshav, "An Engineering Approach to Computer Networking"
  assert.deepEqual(maxMinParts(10, []), []);
});

test('max-min fair shares of several capacities, worked by hand', () => {
  const endless = Infinity;
  // the first user has both capacities, the others one each
  const row = (first: number, second: number) => [
    { capacity: first, users: [0, 1] },
    { capacity: second, users: [0, 2] },
  ];
  assert.deepEqual(maxMinShares(row(2, 1.5), [endless, endless, endless]), [0.75, 1.25, 0.75]);
  assert.deepEqual(maxMinShares(row(2, 1.5), [endless, 1, endless]), [0.75, 1, 0.75]);
  assert.deepEqual(maxMinShares(row(2, 1.5), [0.5, endless, endless]), [0.5, 1.5, 1]);
  assert.deepEqual(maxMinShares(row(1, 8), [endless, endless, 3]), [0.5, 0.5, 3]);
  assert.deepEqual(maxMinShares([{ capacity: 4, users: [] }], [3]), [3], 'one that uses no capacity has its demand');
});

test('no part is beyond its demand or the capacity, and one that is short of its demand has at least what any other has', () => {
  const random = seededRandom(3);
  for (let i = 0; i < 500; i++) {
    const demands = Array.from({ length: 1 + Math.floor(random.next() * 6) }, () => random.next() * 10);
    const parts = maxMinParts(12, demands);
    const total = parts.reduce((sum, part) => sum + part, 0);
    assert.ok(
      Math.abs(
        total -
          Math.min(
            12,
            demands.reduce((sum, demand) => sum + demand, 0),
          ),
      ) < 1e-9,
    );
    for (const [k, part] of parts.entries()) {
      assert.ok(part <= demands[k]! + 1e-9);
      if (part < demands[k]! - 1e-9) assert.ok(parts.every(other => other <= part + 1e-9));
    }
  }
});

test('harm is the part of the performance alone that is lost', () => {
  assert.equal(harm(10, 4, 'higher'), 0.6); // 10 Mbit/s alone, 4 beside a flood
  assert.equal(harm(20, 80, 'lower'), 0.75); // 20 ms alone, 80 ms beside a flood
  assert.equal(harm(10, 0, 'higher'), 1);
  assert.equal(harm(0, 3, 'lower'), 1); // no stall alone, 3 s beside a flood
  assert.equal(harm(10, 12, 'higher'), -0.2);
  assert.equal(harm(80, 20, 'lower'), -3);
});

test('nothing against nothing is no harm, and a division by 0 says nothing', () => {
  assert.equal(harm(0, 0, 'lower'), 0);
  assert.equal(harm(0, 0, 'higher'), 0);
  assert.equal(harm(0, 5, 'higher'), null);
  assert.equal(harm(5, 0, 'lower'), null);
});
