import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maxMessageBytes, readClientMessage } from '../../../../server/signaling/messages.ts';

const read = (text: string) => readClientMessage(Buffer.from(text), false);
const reason = (text: string) => {
  const message = read(text);
  return message.type === 'invalid' ? message.reason : assert.fail(`${text} was accepted`);
};
const offer = (sdp: unknown) => JSON.stringify({ type: 'offer', sdp });

test('what a page may say', () => {
  assert.deepEqual(read(offer('v=0\r\no=- 1 1')), { type: 'offer', sdp: 'v=0\r\no=- 1 1' });
  assert.deepEqual(read('{"type":"bye"}'), { type: 'bye' });
});

test('messages are text, and the text is JSON', () => {
  assert.deepEqual(readClientMessage(Buffer.from('{"type":"bye"}'), true), {
    type: 'invalid',
    reason: 'messages are text',
  });
  for (const text of ['', '{', '{"type":"bye"', 'undefined', "{'type':'bye'}", '\ud800'])
    assert.equal(reason(text), 'not JSON');
});

test('what is not an object with a known type is refused', () => {
  for (const text of [
    'null',
    '1',
    '"offer"',
    '[]',
    '[{"type":"bye"}]',
    '{}',
    '{"type":null}',
    '{"type":"answer","sdp":"v=0..........."}',
    '{"type":["bye"]}',
    '{"type":"toString"}',
  ]) {
    assert.ok(reason(text).length > 0, text);
  }
});

test('an offer is SDP of some length', () => {
  for (const sdp of [undefined, null, 7, '', 'v=0', 'x=0\r\no=- 1 1', ' v=0\r\no=- 1 1', ['v=0\r\no=- 1 1']])
    assert.match(reason(offer(sdp)), /^sdp: /);
  assert.equal(read(offer('v=0'.padEnd(maxMessageBytes, 'x'))).type, 'offer');
  assert.match(reason(offer('v=0'.padEnd(maxMessageBytes + 1, 'x'))), /^sdp: /);
});

test('keys that nobody asked for are refused by name', () => {
  assert.equal(reason('{"type":"bye","sdpp":1}'), 'message: unknown key "sdpp" (known: type)');
  assert.equal(
    reason('{"type":"offer","sdp":"v=0\\r\\no=- 1","sdpp":1}'),
    'message: unknown key "sdpp"; did you mean "sdp"? (known: type, sdp)',
  );
  assert.match(reason('{"type":"bye","__proto__":{"sdp":1}}'), /unknown key "__proto__"/);
});
