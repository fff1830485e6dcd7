/** A browser that a page has taken over says what it likes to Playwright: that ends the browser, and not the harness. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { watchLengths } from '../../../../harness/browser/playwright-guard.ts';
import { temporaryFolder } from '../support/folder.ts';
import { standIn } from '../support/stand-in.ts';

const folder = temporaryFolder();
const at = (path: string) => JSON.stringify(new URL(`../../../../${path}`, import.meta.url).href);

function evaluated(code: string) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', code],
    { encoding: 'utf8', timeout: 60_000 },
  );
  return { status, stdout, stderr };
}

/** What a harness of its own does that opens a browser, for which a shell program stands, and is still there after it. */
function opened(browser: string, then = '') {
  const executable = standIn(folder, 'browser', `head -c 1 <&3 > /dev/null\n${browser}\nexec sleep 60`);
  const code = `
    import { openBrowser } from ${at('harness/browser/launch.ts')};
    import { localHost } from ${at('core/local-host.ts')};
    const options = { executable: ${JSON.stringify(executable)}, host: localHost, scratch: ${JSON.stringify(folder)},
      headed: false, isTrusted: true, width: 640, height: 360 };
    const error = await openBrowser(options).catch(error => error);
    ${then}
    await new Promise(resolve => setTimeout(resolve, 50));
    console.log(error.code, error.message);`;
  return evaluated(code);
}

test('what is no message, or none that Playwright can handle, ends the browser with a line', () => {
  for (const [said, reason] of [
    ['x\\0', /what cannot be handled: Unexpected token/],
    ['null\\0', /what cannot be handled: Cannot read properties of null/],
    ['{"id":99}\\0', /what cannot be handled: /],
    ['{"method":"Target.attachedToTarget"}\\0', /what cannot be handled: /],
    ['{"method":"error"}\\0', /what cannot be handled: /],
  ] as const) {
    const { status, stdout, stderr } = opened(`printf '${said}' >&4`);
    assert.match(stdout, /^browser-failed the browser .* did not start: the browser sent [^\n]*\n$/, said + stderr);
    assert.match(stdout, reason);
    assert.equal(status, 0);
  }
});

test('a message or a line without an end ends it too', () => {
  const endless = (bytes: number) => `head -c ${bytes} /dev/zero | tr '\\000' x`;
  assert.match(opened(`${endless(65 * 2 ** 20)} >&4`).stdout, /the browser sent a message of more than 64 MiB\n$/);
  for (const descriptor of [1, 2])
    assert.match(
      opened(`${endless(300_000)} >&${descriptor}`).stdout,
      /the browser sent a line of more than 262144 bytes\n$/,
    );
});

test('a fault of ours still ends the harness', () => {
  const { status, stderr, stdout } = opened("printf 'x\\0' >&4", "setImmediate(() => { throw new Error('ours'); });");
  assert.equal(status, 2);
  assert.match(stderr, /^unexpected error: Error: ours\n/);
  assert.equal(stdout, '');
});

test('so does one of a listener of ours, also in the name of a browser that was blamed before', () => {
  const guard = at('harness/browser/playwright-guard.ts');
  const code = `
    import { PlaywrightGuard } from ${guard};
    const guard = new PlaywrightGuard();
    guard.fail('too much');
    const words = 'ours\\x1b\\n    at x (/node_modules/playwright-core/x.js:1:1)';
    await guard.run(async () => setImmediate(() => { throw new Error(words); }));
    await new Promise(resolve => setTimeout(resolve, 1000));
    console.log('it went on');`;
  const { status, stdout, stderr } = evaluated(code);
  assert.equal(status, 2);
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
