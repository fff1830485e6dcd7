/** Damage to values as JSON has them, for the fuzz tests: some part of a value becomes something else. */
import fc from 'fast-check';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** What tends to be forgotten. */
const odd: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(
    null,
    true,
    0,
    -1,
    1e308,
    2 ** 53,
    0.1,
    '',
    '0',
    '-5s',
    '1e999mbit',
    '../..',
    'a\0b',
    '__proto__',
    'constructor',
    [],
    {},
    [[]],
    { id: 5 },
    { id: 'none' },
    { id: '__proto__' },
  ),
  fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>,
);

const change = fc.record({
  path: fc.array(fc.nat(30), { minLength: 1, maxLength: 6 }),
  kind: fc.constantFrom('set', 'remove', 'add'),
  value: odd,
  key: fc.constantFrom('id', 'rate', 'more', '__proto__', 'toString', 'link', 'count', 'x'),
});

function applied(
  root: Json,
  { path, kind, value, key }: { path: number[]; kind: string; value: Json; key: string },
): Json {
  const copy = JSON.parse(JSON.stringify(root)) as Json;
  let node: Json = copy;
  for (const [depth, step] of path.entries()) {
    if (typeof node !== 'object' || node === null) return copy;
    const holder = node as Record<string, Json>;
    const keys = Object.keys(holder);
    if (keys.length === 0) return copy;
    const chosen = keys[step % keys.length]!;
    const isLast = depth === path.length - 1 || typeof holder[chosen] !== 'object' || holder[chosen] === null;
    if (isLast) {
      if (kind === 'remove') delete holder[chosen];
      else
        Object.defineProperty(holder, kind === 'set' ? chosen : key, {
          value,
          enumerable: true,
          configurable: true,
          writable: true,
        });
      return copy;
    }
    node = holder[chosen]!;
  }
  return copy;
}

/** One of the originals after some changes. */
export function changed<T>(originals: readonly T[]): fc.Arbitrary<T> {
  return fc
    .tuple(fc.constantFrom(...originals), fc.array(change, { minLength: 1, maxLength: 4 }))
    .map(([original, changes]) => changes.reduce(applied, original as Json) as T);
}
