/**
 * Tests that any output of a browser ends the browser and not the harness, since a page may have taken over the
 * browser.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { watchLengths } from '../../../../../harness/trial/browser/playwright-guard.ts';
import { temporaryFolder } from '../../../../unit/harness/support/folder.ts';
import { standIn } from '../../../../unit/harness/support/stand-in.ts';

const folder = temporaryFolder();
const at = (path: string) => JSON.stringify(new URL(`../../../../../${path}`, import.meta.url).href);

function evaluated(code: string) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', code],
    { encoding: 'utf8', timeout: 60_000 },
  );
  return { status, stdout, stderr };
}

/**
 * Runs a second harness that opens browsers one after the other. The harness reports after each browser that it is
 * alive. The browsers are shell programs.
 */
function opened(browsers: readonly string[], then = '') {
  const executables = browsers.map((browser, k) =>
    standIn(folder, `browser-${k}`, `head -c 1 <&3 > /dev/null\n${browser}\nexec sleep 60`),
  );
  const code = `
    import { openBrowser } from ${at('harness/trial/browser/launch.ts')};
    import { localHost } from ${at('core/system/local-host.ts')};
    for (const executable of ${JSON.stringify(executables)}) {
      const options = { executable, host: localHost, scratch: ${JSON.stringify(folder)},
        headed: false, isTrusted: true, width: 640, height: 360 };
      const error = await openBrowser(options).catch(error => error);
      ${then}
      await new Promise(resolve => setTimeout(resolve, 50));
      console.log(error.code, error.message);
    }`;
  return evaluated(code);
}

test('what is no message, or none that Playwright can handle, ends the browser with a line; so does one without an end', () => {
  const endless = (bytes: number) => `head -c ${bytes} /dev/zero | tr '\\000' x`;
  const cases: [browser: string, reason: RegExp][] = [
    ["printf 'x\\0' >&4", /what cannot be handled: Unexpected token/],
    ["printf 'null\\0' >&4", /what cannot be handled: Cannot read properties of null/],
    [`printf '{"id":99}\\0' >&4`, /what cannot be handled: /],
    [`printf '{"method":"Target.attachedToTarget"}\\0' >&4`, /what cannot be handled: /],
    [`printf '{"method":"error"}\\0' >&4`, /what cannot be handled: /],
    [`${endless(65 * 2 ** 20)} >&4`, /the browser sent a message of more than 64 MiB$/],
    [`${endless(300_000)} >&1`, /the browser sent a line of more than 262144 bytes$/],
    [`${endless(300_000)} >&2`, /the browser sent a line of more than 262144 bytes$/],
  ];
  const { status, stdout, stderr } = opened(cases.map(([browser]) => browser));
  const lines = stdout.trimEnd().split('\n');
  for (const [k, [browser, reason]] of cases.entries()) {
    assert.match(lines[k] ?? '', /^browser-failed the browser .* did not start: the browser sent /, browser + stderr);
    assert.match(lines[k]!, reason, browser);
  }
  assert.deepEqual([lines.length, status], [cases.length, 0], stderr);
});

test('a fault of ours still ends the harness', () => {
  const { status, stderr, stdout } = opened(["printf 'x\\0' >&4"], "setImmediate(() => { throw new Error('ours'); });");
  assert.equal(status, 6);
  assert.match(stderr, /^unexpected error: Error: ours\n/);
  assert.equal(stdout, '');
});

test('so does one of a listener of ours, also in the name of a browser that was blamed before', () => {
  const guard = at('harness/trial/browser/playwright-guard.ts');
  const code = `
    import { PlaywrightGuard } from ${guard};
    const guard = new PlaywrightGuard();
    guard.fail('too much');
    const words = 'ours\\x1b\\n    at x (/node_modules/playwright-core/x.js:1:1)';
    await guard.run(async () => setImmediate(() => { throw new Error(words); }));
    await new Promise(resolve => setTimeout(resolve, 1000));
    console.log('it went on');`;
  const { status, stdout, stderr } = evaluated(code);
  assert.equal(status, 6);
  assert.match(stderr, /^unexpected error: Error: ours\?\n/);
  assert.equal(stdout, '');
});

test('lengths are counted from end to end, from the first byte that is read, and nothing is lost of it', async () => {
  const stream = new PassThrough();
  let isLong = false;
  watchLengths(stream, 0, 4, () => (isLong = true));
  stream.write('ab\0cd');
  await new Promise(setImmediate);
  assert.equal(stream.readableLength, 5, 'it waits for its reader');
  let text = '';
  stream.on('data', piece => (text += piece));
  stream.write('ef\0ghij\0klm');
  await new Promise(setImmediate);
  assert.deepEqual([text, isLong], ['ab\0cdef\0ghij\0klm', false]);
  stream.write('no');
  await once(stream, 'close');
  assert.ok(isLong);
});
