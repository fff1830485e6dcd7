/** Whatever a page sends to the demonstration, it is a change within its bounds or is refused with a reason. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { maxMessageBytes, readControlMessage } from '../../harness/demo/messages.ts';
import { anyBytes, damaged } from './bytes.ts';
import { effort } from './effort.ts';

const seed = 20261121;

function check(bytes: Buffer, isBinary = false): string {
  const message = readControlMessage(bytes, isBinary);
  if (message.type === 'invalid') {
    assert.deepEqual(Object.keys(message).sort(), ['reason', 'type']);
    assert.ok(message.reason.length > 0);
    return 'invalid';
  }
  assert.ok(!isBinary);
  assert.deepEqual(Object.keys(message).sort(), ['setting', 'type', 'value']);
  switch (message.setting) {
    case 'flood':
      assert.match(message.value, /^[a-z0-9_-]{1,32}$/);
      break;
    case 'flows':
      assert.ok(Number.isInteger(message.value) && message.value >= 1 && message.value <= 64);
      break;
    case 'rate':
      assert.ok(message.value >= 64e3 && message.value <= 10e9);
      break;
    case 'queue':
      assert.ok(message.value.value > 0 && Number.isFinite(message.value.value));
      break;
    case 'loss':
      assert.ok(message.value >= 0 && message.value <= 0.9);
      break;
    default:
      assert.fail(`a setting that nobody knows: ${JSON.stringify(message)}`);
  }
  return message.setting;
}

const real = [
  ['flood', 'bbr3'],
  ['flows', '5'],
  ['rate', '40mbit'],
  ['queue', '1000packets'],
  ['loss', '2%'],
].map(([setting, value]) => Buffer.from(JSON.stringify({ type: 'set', setting, value })));

test('what the page really sends is understood, and is far below the limit', () => {
  assert.deepEqual(
    real.map(bytes => check(bytes)),
    ['flood', 'flows', 'rate', 'queue', 'loss'],
  );
  for (const bytes of real) assert.ok(bytes.length * 4 < maxMessageBytes);
});

test('any bytes', () => {
  fc.assert(
    fc.property(anyBytes(200), fc.boolean(), (bytes, isBinary) => {
      check(bytes, isBinary);
    }),
    effort(seed, 2000),
  );
});

test('any JSON', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 4 }), text => {
      check(Buffer.from(text));
    }),
    effort(seed, 2000),
  );
});

test('objects with the right keys and anything in them', () => {
  const quantity = fc
    .tuple(
      fc.oneof(fc.double(), fc.integer({ min: -1, max: 100 })),
      fc.constantFrom('mbit', 'packets', 'ms', '%', 'bdp', '', 'kB'),
    )
    .map(([number, unit]) => `${number}${unit}`);
  const message = fc.record(
    {
      type: fc.constantFrom('set', 'get'),
      setting: fc.oneof(fc.constantFrom('flood', 'flows', 'rate', 'queue', 'loss', '__proto__'), fc.jsonValue()),
      value: fc.oneof(quantity, fc.string(), fc.nat(100).map(String), fc.jsonValue()),
    },
    { requiredKeys: [] },
  );
  const seen = new Set<string>();
  fc.assert(
    fc.property(message, fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 1 }), (value, extra) => {
      seen.add(check(Buffer.from(JSON.stringify({ ...extra, ...value }))));
    }),
    effort(seed, 5000),
  );
  assert.deepEqual([...seen].sort(), ['flood', 'flows', 'invalid', 'loss', 'queue', 'rate']);
});

test('real messages, damaged', () => {
  fc.assert(
    fc.property(damaged(real), bytes => {
      check(bytes);
    }),
    effort(seed, 3000),
  );
});
