import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { maxMessageBytes, readClientMessage } from '../../server/signaling/messages.ts';
import { anyBytes, damaged } from './bytes.ts';
import { effort } from './effort.ts';

const seed = 20;

/** A message is one of the two with nothing beside, or invalid with a reason. */
function check(data: Buffer, isBinary = false): string {
  const message = readClientMessage(data, isBinary);
  switch (message.type) {
    case 'offer':
      assert.ok(
        typeof message.sdp === 'string' &&
          message.sdp.startsWith('v=0') &&
          message.sdp.length >= 10 &&
          message.sdp.length <= maxMessageBytes,
      );
      assert.deepEqual(Object.keys(message).sort(), ['sdp', 'type']);
      break;
    case 'bye':
      assert.deepEqual(Object.keys(message), ['type']);
      break;
    default:
      assert.equal(message.type, 'invalid');
      assert.ok(typeof message.reason === 'string' && message.reason.length > 0);
  }
  if (isBinary) assert.equal(message.type, 'invalid');
  return message.type;
}

test('any bytes', () => {
  fc.assert(
    fc.property(anyBytes(300), fc.boolean(), (bytes, isBinary) => {
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
  const type = fc.oneof(fc.constantFrom('offer', 'bye', 'answer', '__proto__', ''), fc.jsonValue());
  const message = fc.record(
    {
      type,
      sdp: fc.oneof(
        fc.string(),
        fc.string().map(text => `v=0${text}`),
        fc.jsonValue(),
      ),
    },
    { requiredKeys: [] },
  );
  const seen = new Set<string>();
  fc.assert(
    fc.property(message, fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 1 }), (value, extra) => {
      seen.add(check(Buffer.from(JSON.stringify({ ...extra, ...value }))));
    }),
    effort(seed, 3000),
  );
  assert.deepEqual([...seen].sort(), ['bye', 'invalid', 'offer']);
});

test('real messages, damaged', () => {
  const real = [{ type: 'offer', sdp: 'v=0\r\no=- 1 2 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\n' }, { type: 'bye' }].map(
    message => Buffer.from(JSON.stringify(message)),
  );
  fc.assert(
    fc.property(damaged(real), bytes => {
      check(bytes);
    }),
    effort(seed, 3000),
  );
});

test('deep nesting and huge numbers', () => {
  for (const text of [
    '['.repeat(30_000),
    '['.repeat(5000) + ']'.repeat(5000),
    `{"type":${'{"type":'.repeat(2000)}1${'}'.repeat(2001)}`,
    '1e999',
    `{"type":"offer","sdp":1e999}`,
    '9'.repeat(60_000),
  ])
    check(Buffer.from(text));
});
