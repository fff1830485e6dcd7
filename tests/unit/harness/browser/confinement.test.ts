import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { within } from '../../../../core/deadline.ts';
import { CoexistError } from '../../../../core/errors.ts';
import { MachineConfinement, confinementOf } from '../../../../harness/browser/confinement.ts';
import { placed } from '../../../../harness/browser/placed.ts';
import { plugin } from '../../../../harness/services/live-url/index.ts';
import { temporaryFolder } from '../support/folder.ts';
import { standIn } from '../support/stand-in.ts';

const folder = temporaryFolder();
const withSandbox = { isConfined: true, hasSandbox: true, obstacle: null };
const didNotStart = (cause?: unknown) =>
  new CoexistError('browser-failed', 'the browser did not start', { cause: cause ?? new Error('it ended') });

/** A machine, with a browser whose starts go as is said: "starts", or the error that they end with. */
function machine(...starts: readonly ('starts' | Error)[]) {
  const here = new MachineConfinement(async () => withSandbox);
  const sandboxes: boolean[] = [];
  const start = () =>
    here.start(async () => {
      sandboxes.push((await here.known()).hasSandbox);
      const how = starts[sandboxes.length - 1] ?? assert.fail('it was not to be started again');
      if (how === 'starts') return 'a browser';
      throw how;
    });
  return { here, start, sandboxes };
}

test("a browser that ends twice with Chromium's sandbox and starts without it has none from then on", async () => {
  const { start, sandboxes } = machine(didNotStart(), didNotStart(), 'starts', 'starts');
  assert.equal(await start(), 'a browser');
  assert.equal(await start(), 'a browser');
  assert.deepEqual(sandboxes, [true, true, false, false]);
});

test('one that is slow keeps its sandbox, whoever measures the time', async () => {
  const ours = await within(new Promise(() => {}), 1, 'the browser', { code: 'browser-died' }).catch(error => error);
  const playwrights = Object.assign(new Error('launch: Timeout 20000ms exceeded'), { name: 'TimeoutError' });
  for (const cause of [ours, playwrights]) {
    const { here, start, sandboxes } = machine(didNotStart(cause), 'starts');
    await assert.rejects(start(), { code: 'browser-failed' });
    assert.equal(await start(), 'a browser');
    assert.deepEqual(sandboxes, [true, true]);
    assert.deepEqual(await here.known(), withSandbox);
  }
});

test('one that ended by chance once, or that was slow at its second start, keeps it too', async () => {
  const once = machine(didNotStart(), 'starts');
  assert.equal(await once.start(), 'a browser');
  const slow = await within(new Promise(() => {}), 1, 'the browser').catch(error => error);
  const then = machine(didNotStart(), didNotStart(slow));
  await assert.rejects(then.start(), { code: 'browser-failed' });
  for (const { here } of [once, then]) assert.deepEqual(await here.known(), withSandbox);
});

test('one that starts neither way keeps it, and says why it ended the first time', async () => {
  const first = didNotStart();
  const { here, start, sandboxes } = machine(first, didNotStart(), didNotStart());
  await assert.rejects(start(), error => error === first);
  assert.deepEqual(sandboxes, [true, true, false]);
  assert.deepEqual(await here.known(), withSandbox);
});

const { WAYLAND_DISPLAY, CHROMIUM_PATH, COEXIST_CONFINE } = process.env;
afterEach(() => {
  for (const [name, value] of Object.entries({ WAYLAND_DISPLAY, CHROMIUM_PATH, COEXIST_CONFINE }))
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
});

test('a page of the Internet is not shown on a Wayland display, where its browser has all rights of the command', async () => {
  const browser = standIn(folder, 'browser', 'exit 1');
  Object.assign(process.env, { WAYLAND_DISPLAY: 'wayland-0', CHROMIUM_PATH: browser });
  delete process.env['COEXIST_CONFINE'];
  const params = { url: 'https://example.org/' } as never;
  await assert.rejects(plugin.check(params, true), (error: CoexistError) => {
    assert.match(error.line, /could do here whatever this command can: .*a Wayland display is for its own user only/);
    return error.code === 'missing-kernel-feature' && !error.message.includes('\n');
  });
  assert.equal((await confinementOf({ headed: true })).isConfined, false);
  const options = { executable: browser, headed: true };
  assert.deepEqual((await placed(options, folder)).command, [browser], 'which it would have there');
  process.env['COEXIST_CONFINE'] = '0';
  await plugin.check(params, true); // somebody asked for just that
});
