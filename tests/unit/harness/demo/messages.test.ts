import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readControlMessage } from '../../../../harness/demo/messages.ts';

const read = (message: unknown) => readControlMessage(Buffer.from(JSON.stringify(message)), false);
const set = (setting: string, value: unknown) => read({ type: 'set', setting, value });

test('a change has the units of the code', () => {
  assert.deepEqual(set('rate', '20mbit'), { type: 'set', setting: 'rate', value: 20e6 });
  assert.deepEqual(set('loss', '2%'), { type: 'set', setting: 'loss', value: 0.02 });
  assert.deepEqual(set('queue', '300packets'), {
    type: 'set',
    setting: 'queue',
    value: { unit: 'packets', value: 300 },
  });
  assert.deepEqual(set('flows', '5'), { type: 'set', setting: 'flows', value: 5 });
  assert.deepEqual(set('flood', 'bbr3'), { type: 'set', setting: 'flood', value: 'bbr3' });
});

test('what is none is refused with its place', () => {
  const reason = (message: unknown) => {
    const answer = read(message);
    assert.equal(answer.type, 'invalid');
    return (answer as { reason: string }).reason;
  };
  assert.match(
    reason({ type: 'set', setting: 'rate', value: '20' }),
    /^value: "20" is not a rate; write it like "20mbit"/,
  );
  assert.match(reason({ type: 'set', setting: 'rate', value: '1kbit' }), /out of range/);
  assert.match(reason({ type: 'set', setting: 'flows', value: '0' }), /at least 1/);
  assert.match(reason({ type: 'set', setting: 'flows', value: 5 }), /^value: /);
  assert.match(reason({ type: 'set', setting: 'flood', value: '-c 10.0.0.1' }), /not the name of a congestion control/);
  assert.match(reason({ type: 'set', setting: 'loss', value: '95%' }), /at most 90 %/);
  assert.match(reason({ type: 'set', setting: 'delay', value: '5ms' }), /^setting: /);
  assert.match(reason({ type: 'set', setting: 'loss', value: '1%', more: 1 }), /unknown key "more"/);
  assert.equal(reason('set'), 'message: Invalid input: expected object, received string');
});
