import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Opened } from '../../../../harness/demo/opened.ts';

test('what was opened is closed in the reverse order, whatever went wrong', async () => {
  const closed: string[] = [];
  const opened = new Opened();
  await opened.open(
    () => 'first',
    name => closed.push(name),
  );
  await opened.open(
    () => 'second',
    () => {
      throw new Error('it does not close');
    },
  );
  await assert.rejects(
    opened.open(
      () => Promise.reject(new Error('it does not open')),
      () => closed.push('never'),
    ),
    { message: 'it does not open' },
  );
  await opened.open(
    () => 'third',
    name => closed.push(name),
  );
  await opened.close();
  assert.deepEqual(closed, ['third', 'first']);
  await opened.close();
  assert.deepEqual(closed, ['third', 'first']);
});

test('what is still being opened is closed as soon as it is there, and nothing is opened after that', async () => {
  const closed: string[] = [];
  const opened = new Opened();
  const { promise, resolve } = Promise.withResolvers<string>();
  const slow = opened.open(
    () => promise,
    name => closed.push(name),
  );
  const closing = opened.close();
  await assert.rejects(
    opened.open(
      () => 'late',
      name => closed.push(name),
    ),
  );
  resolve('slow');
  assert.equal(await slow, 'slow');
  await closing;
  assert.deepEqual(closed, ['slow']);
});
