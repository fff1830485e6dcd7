import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deriveSeed, mix64, seededRandom, splitmix64 } from '../../../core/random.ts';

test('splitmix64 gives the reference outputs for seed 1234567', () => {
  // published with the reference implementation (Vigna, splitmix64.c) and in Rosetta Code's task
  const expected = [
    6457827717110365317n,
    3203168211198807973n,
    9817491932198370423n,
    4593380528125082431n,
    16408922859458223821n,
  ];
  assert.deepEqual(
    expected.map((_, k) => splitmix64(1234567n, BigInt(k))),
    expected,
  );
});

test('mixing keeps 64 bits and maps 0 to 0', () => {
  assert.equal(mix64(0n), 0n);
  assert.equal(mix64(1n << 64n), 0n);
  assert.ok(mix64(1n) < 1n << 64n);
});

test('mixing is that of the definition in integers of 64 bits', () => {
  const mask = (1n << 64n) - 1n;
  const defined = (value: bigint) => {
    let z = value;
    z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & mask;
    z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & mask;
    return z ^ (z >> 31n);
  };
  const edges = [1n, 0xffffffffn, 0x100000000n, mask, 1n << 63n, 0x7fffffffffffffffn, 0x8000000080000000n];
  const values = [...edges, ...Array.from({ length: 2000 }, (_, k) => splitmix64(9n, BigInt(k)))];
  for (const value of values) assert.equal(mix64(value), defined(value), String(value));
});

test('uniform numbers are the upper 53 bits of the outputs, for every seed', () => {
  for (const seed of [0, 1, 1234567, 2 ** 32 - 1, 2 ** 32, Number.MAX_SAFE_INTEGER, -1]) {
    const random = seededRandom(seed);
    for (let k = 0n; k < 500n; k++)
      assert.equal(random.next(), Number(splitmix64(BigInt(seed), k) >> 11n) / 2 ** 53, `${seed}, ${k}`);
  }
});

test('derived seeds differ by part and repeat under the same seed', () => {
  assert.equal(deriveSeed(1, 'repeat', 2), deriveSeed(1, 'repeat', 2));
  const seeds = new Set([
    deriveSeed(1, 'repeat', 1),
    deriveSeed(1, 'repeat', 2),
    deriveSeed(2, 'repeat', 1),
    deriveSeed(1, 'repeat', '11'),
    deriveSeed(1, 'repeat1', '1'),
  ]);
  assert.equal(seeds.size, 5);
  for (const seed of seeds) assert.ok(Number.isSafeInteger(seed) && seed >= 0);
});

test('uniform numbers lie in [0, 1) and average a half', () => {
  const random = seededRandom(7);
  const values = Array.from({ length: 10_000 }, () => random.next());
  assert.ok(values.every(value => value >= 0 && value < 1));
  const mean = values.reduce((a, b) => a + b) / values.length;
  assert.ok(Math.abs(mean - 0.5) < 0.01, String(mean)); // 3.5 standard errors
});
