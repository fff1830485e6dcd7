import assert from 'node:assert/strict';
import { test } from 'node:test';
import { object, ratio, z } from '../../../../core/schema/schema.ts';
import { readMessage } from '../../../../core/text/message.ts';

const schema = object({ type: z.literal('set'), loss: ratio() });
const read = (text: string, isBinary = false) => readMessage(schema, Buffer.from(text), isBinary);

test('a message of the form asked for is what its schema makes of it', () => {
  assert.deepEqual(read('{"type":"set","loss":"2%"}'), { type: 'set', loss: 0.02 });
});

test('anything else is invalid, with the first thing wrong and its place', () => {
  assert.deepEqual(read('{"type":"set","loss":"2%"}', true), { type: 'invalid', reason: 'messages are text' });
  assert.deepEqual(read('{'), { type: 'invalid', reason: 'not JSON' });
  assert.deepEqual(read('{"type":"set","loss":2}'), {
    type: 'invalid',
    reason: 'loss: 2 is not a percentage; write it like "2%"',
  });
  assert.deepEqual(read('{"type":"set","loss":"2%","x":1}'), {
    type: 'invalid',
    reason: 'message: unknown key "x" (known: type, loss)',
  });
});
