import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, test } from 'node:test';
import { CoexistError } from '../../../../../core/errors.ts';
import { within } from '../../../../../core/system/deadline.ts';
import { plugin } from '../../../../../harness/services/live-url/index.ts';
import { browserCommand } from '../../../../../harness/trial/browser/browser-command.ts';
import { confinement, confinementOf, MachineConfinement } from '../../../../../harness/trial/browser/confinement.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { standIn } from '../../support/stand-in.ts';

const { isConfined } = await confinement();
const folder = temporaryFolder();
const withSandbox = { isConfined: true, hasChromiumSandbox: true, obstacle: null };
const didNotStart = (cause?: unknown) =>
  new CoexistError('browser-failed', 'the browser did not start', { cause: cause ?? new Error('it ended') });

/** Returns a machine with a browser. `starts`: results of the browser's starts in order, each "starts" or an error. */
function machine(...starts: readonly ('starts' | Error)[]) {
  const here = new MachineConfinement(async () => withSandbox);
  const sandboxes: boolean[] = [];
  const start = () =>
    here.start(async () => {
      sandboxes.push((await here.known()).hasChromiumSandbox);
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

const names = ['WAYLAND_DISPLAY', 'DISPLAY', 'XAUTHORITY', 'CHROMIUM_PATH', 'COEXIST_CONFINE', 'PATH'] as const;
const environment = names.map(name => [name, process.env[name]] as const);
afterEach(() => {
  for (const [name, value] of environment)
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
});
const browser = standIn(folder, 'browser', 'exit 1');
const screens = temporaryFolder();
const xvfb = standIn(screens, 'Xvfb', 'exit 1');
const withXvfb = `${screens}:${process.env['PATH']}`;
const params = { url: 'https://example.org/' } as never;

test('on a Wayland display a browser has all rights of the command', async () => {
  process.env['WAYLAND_DISPLAY'] = 'wayland-0';
  assert.equal((await confinementOf({ headed: true })).isConfined, false);
  assert.deepEqual((await browserCommand({ executable: browser, headed: true }, folder)).command, [browser]);
});

test('a page of the Internet has a window on a display of its own, or where somebody takes the risk', async () => {
  delete process.env['COEXIST_CONFINE'];
  for (const WAYLAND_DISPLAY of ['wayland-0', '']) {
    Object.assign(process.env, { WAYLAND_DISPLAY, DISPLAY: ':7', CHROMIUM_PATH: browser, PATH: withXvfb });
    if (isConfined) await plugin.check(params, true);
    else
      await assert.rejects(plugin.check(params, true), (error: CoexistError) => {
        assert.match(
          error.line,
          /^browsers cannot be confined on this machine \(.*could get the rights of this command/,
        );
        return error.code === 'missing-kernel-feature' && !error.message.includes('\n');
      });
  }
  process.env['PATH'] = folder;
  if (isConfined)
    await assert.rejects(plugin.check(params, true), { code: 'no-display', hint: /^apt-get install xvfb/ });
  process.env['COEXIST_CONFINE'] = '0';
  await plugin.check(params, true); // the user asked for that
});

test('its sandbox has no way to the display of this command and no key to it', {
  skip: isConfined ? false : 'this machine confines no browser',
}, async () => {
  const key = standIn(folder, 'Xauthority', '');
  Object.assign(process.env, { DISPLAY: ':7', XAUTHORITY: key, WAYLAND_DISPLAY: '', PATH: withXvfb });
  const scriptOf = async (showsInternet: boolean) => {
    const directory = mkdtempSync(join(folder, 'one-'));
    const { command } = await browserCommand({ executable: browser, headed: true, showsInternet }, directory);
    return readFileSync(command.at(-1)!, 'utf8');
  };
  const ours = await scriptOf(false);
  assert.ok(ours.includes('DISPLAY=:7') && ours.includes(key) && !ours.includes(xvfb));
  const theirs = await scriptOf(true);
  assert.ok(!theirs.includes('DISPLAY=:7') && !theirs.includes(key) && theirs.includes(xvfb));
  assert.doesNotMatch(theirs, /^\/tmp\/\.X11-unix /m);
});
