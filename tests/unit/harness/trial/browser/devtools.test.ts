import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { z } from '../../../../../core/schema/schema.ts';
import { within } from '../../../../../core/system/deadline.ts';
import { DevTools } from '../../../../../harness/trial/browser/devtools.ts';

/** Returns a browser whose output the test writes. `heard`: messages that the browser received. */
function browser() {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const heard: { id: number; method: string; params: object; sessionId?: string }[] = [];
  input.setEncoding('utf8').on('data', (text: string) =>
    heard.push(
      ...text
        .split('\0')
        .filter(part => part !== '')
        .map(part => JSON.parse(part) as (typeof heard)[number]),
    ),
  );
  const failures: string[] = [];
  return {
    devtools: new DevTools(input, output, ({ message }) => failures.push(message)),
    failures,
    heard,
    say: (...messages: object[]) => output.write(messages.map(message => `${JSON.stringify(message)}\0`).join('')),
    output,
  };
}

test('answers reach who asked, in whatever order and however they are cut', async () => {
  const { devtools, heard, output } = browser();
  const [first, second] = [devtools.send('A', { x: 1 }), devtools.send('B', {}, 'session')];
  await new Promise(setImmediate);
  assert.deepEqual(heard, [
    { id: 1, method: 'A', params: { x: 1 } },
    { id: 2, method: 'B', params: {}, sessionId: 'session' },
  ]);
  const text = `${JSON.stringify({ id: 2, result: { value: 'zwei' } })}\0${JSON.stringify({ id: 1, result: { value: 'eins' } })}\0`;
  for (const character of text) output.write(character);
  assert.deepEqual([await first, await second], [{ value: 'eins' }, { value: 'zwei' }]);
});

test('events reach who listens to that session', async () => {
  const { devtools, say } = browser();
  const got: unknown[] = [];
  devtools.on('Page.loaded', 'mine', params => got.push(params));
  say(
    { method: 'Page.loaded', sessionId: 'other', params: { number: 1 } },
    { method: 'Page.loaded', params: { number: 2 } },
    { method: 'Page.loaded', sessionId: 'mine', params: { number: 3 } },
    { method: 'Page.loaded', sessionId: 'mine' },
  );
  await new Promise(setImmediate);
  assert.deepEqual(got, [{ number: 3 }, {}]);
});

test('a refusal, a silence and an end are errors', async () => {
  const { devtools, say } = browser();
  const refused = devtools.send('A');
  say({ id: 1, error: { message: 'no such method' } });
  await assert.rejects(refused, { code: 'browser-failed', message: 'the browser refuses: no such method' });
  await assert.rejects(devtools.send('B', {}, undefined, 20), { code: 'browser-died', message: /answer to B/ });
  const cut = devtools.send('C');
  devtools.end(new Error('gone'));
  await assert.rejects(cut, { message: 'gone' });
  await assert.rejects(devtools.send('D'), { message: 'gone' }, 'it is not waited for');
});

test('an answer that does not tell what was asked is an error', async () => {
  const { devtools, say } = browser();
  const target = z.looseObject({ targetId: z.string() });
  const asked = ['A', 'B', 'C'].map(method => devtools.ask(target, method));
  say({ id: 1, result: { targetId: 't' } }, { id: 2, result: { targetId: 5 } }, { id: 3 });
  assert.equal((await asked[0])!.targetId, 't');
  await assert.rejects(asked[1]!, { code: 'browser-died', message: /^the browser's answer to B: targetId: / });
  await assert.rejects(asked[2]!, { code: 'browser-died', message: /^the browser's answer to C: targetId is missing/ });
});

test('a long message in many pieces is read in a time that grows with its length', async () => {
  const { devtools, output } = browser();
  const answer = devtools.ask(z.looseObject({ text: z.string() }), 'A');
  const piece = 'x'.repeat(1 << 12);
  const pieces = 8192; // 32 MiB: takes more than a minute if each piece is searched with all before it
  output.write('{"id":1,"result":{"text":"');
  for (let k = 0; k < pieces; k++) {
    output.write(piece);
    if (k % 4 === 0) await new Promise(setImmediate);
  }
  output.write('"}}\0');
  assert.equal((await within(answer, 30_000, 'the message')).text.length, pieces * piece.length);
});

test('what no browser says ends the talk, and not the harness', async () => {
  for (const [said, reason] of [
    ['{"id":1', 'what is no message'],
    ['5', 'what is no message'],
    ['{"id":1,"error":null}', 'what is no message'],
    ['{"id":1,"result":5}', 'what is no message'],
    ['{"method":"Page.shown","params":null}', 'what is no message'],
    ['{"method":"Page.shown","params":{}}', 'what the harness cannot handle'],
    ['x'.repeat(64 * 2 ** 20 + 1), 'a message of more than 64 MiB'],
  ] as const) {
    const { devtools, failures, output } = browser();
    devtools.on('Page.shown', undefined, params => void (params as { name: string }).name.length);
    const waiting = devtools.send('A');
    output.write(said.length < 100 ? `${said}\0` : said);
    await assert.rejects(waiting, { code: 'browser-died', message: `the browser sent ${reason}` });
    assert.deepEqual(failures, [`the browser sent ${reason}`]);
    output.write('{"id":1,"result":{}}\0');
  }
});
