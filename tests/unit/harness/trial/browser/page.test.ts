import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BrowserWindow } from '../../../../../harness/trial/browser/launch.ts';
import { ask, evaluate } from '../../../../../harness/trial/browser/page.ts';

/** A page whose answers come from `answer`. */
const window = (answer: () => Promise<unknown>) =>
  ({ page: { evaluate: answer } }) as unknown as Pick<BrowserWindow, 'page'>;
const silent = window(() => new Promise(() => {}));
const failing = window(async () => {
  throw new Error('page.evaluate: Error: no camera\n    at <anonymous>');
});

test('the answer of the page', async () => {
  assert.equal(
    await ask(
      window(async () => 7),
      'seven()',
    ),
    7,
  );
  assert.equal(
    await evaluate(
      window(async () => 7),
      'seven()',
    ),
    7,
  );
});

test('a page that says nothing is not waited for without end', async () => {
  const error = { code: 'browser-died', message: "timed out after 0.1 s waiting for the browser's page to answer" };
  await assert.rejects(ask(silent, 'seven()', 50), error);
  await assert.rejects(evaluate(silent, 'seven()', 50), error);
});

test('what the page throws: told as its failure, or as it is', async () => {
  await assert.rejects(ask(failing, 'seven()'), {
    code: 'browser-died',
    message: "the browser's page does not answer: page.evaluate: Error: no camera",
  });
  await assert.rejects(evaluate(failing, 'seven()'), { message: /^page\.evaluate: Error: no camera/ });
});
