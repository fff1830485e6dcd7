/**
 * The demonstration on a screen that nobody sees: its own controls change the link and the flood, and nothing is left
 * of it.
 */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { run } from '../../core/system/command.ts';
import { sleep, until } from '../../core/system/deadline.ts';
import type { LeaseRecord } from '../../core/system/lease.ts';
import { localHost } from '../../core/system/local-host.ts';
import { isAlive } from '../../core/system/process-id.ts';
import { tile } from '../../harness/demo/tiling.ts';
import { findBrowser } from '../../harness/trial/browser/find.ts';
import { type BrowserWindow, openBrowser } from '../../harness/trial/browser/launch.ts';
import { parseSsLine } from '../../harness/trial/collect/tcp-sockets.ts';
import { parseTcRate } from '../../shaper/tc/shapers.ts';
import {
  cannotRun,
  leasesOf,
  namespacesOf,
  Place,
  processesIn,
  type Session,
  small,
} from '../e2e/support/run-command.ts';
import { changed, colours, type Region, shoot } from './support/screen.ts';

const has = (program: string) =>
  (process.env['PATH'] ?? '').split(':').some(folder => existsSync(join(folder, program)));
const skip = cannotRun ?? (has('Xvfb') ? false : 'needs Xvfb: apt-get install xvfb');
/** The kernel forms the link, so that it can be asked what the link is. */
const kernelLink = ['--set', 'link.backend=tc'];
const startMs = 90_000;
/** Until curves have some length, and until the video has moved on, ms. */
const drawnMs = 8000;
const movedMs = 500;

const scratch = mkdtempSync(join(tmpdir(), 'coexist-e2e-'));
let browser: BrowserWindow;

before(async () => {
  if (skip !== false) return;
  browser = await openBrowser({
    executable: findBrowser(),
    host: localHost,
    scratch,
    headed: false,
    width: 1280,
    height: 720,
  });
});

after(async () => {
  await browser?.close();
  rmSync(scratch, { recursive: true, force: true });
});

async function started(place: Place, ...more: string[]): Promise<Session> {
  const session = place.start(['demo', '--xvfb', ...small, ...kernelLink, ...more]);
  await session.printed(/it runs: /, startMs);
  return session;
}

/** Opens the page with the controls, as the demonstration's own window does. */
async function openControls(session: Session): Promise<void> {
  await browser.page.goto(/controls: (\S+)/.exec(session.stdout)![1]!);
  await browser.page.locator('#sentence', { hasText: 'frames per second' }).waitFor({ timeout: 20_000 });
}

const choose = (setting: string, value: string) =>
  browser.page.locator(`input[name="${setting}"][value="${value}"]`).check();

/** Hosts of the lane: the viewer's, the flood's sender, and the router. */
const hostNames = { client: 'right-1', other: 'left-2', router: 'router' } as const;
type Role = keyof typeof hostNames;

async function namespace(place: Place, role: Role): Promise<string> {
  return (await namespacesOf(place.state)).find(name => name.split('-').slice(2).join('-') === hostNames[role])!;
}

async function ask(place: Place, role: Role, ...argv: string[]): Promise<string> {
  return (await run(['nsenter', `--net=/run/netns/${await namespace(place, role)}`, '--', ...argv])).stdout;
}

const linkRateBps = async (place: Place) =>
  parseTcRate(await ask(place, 'router', 'tc', 'class', 'show', 'dev', 'toClient'));

/** Congestion controls of the flood's sockets that carry data. */
async function floodSockets(place: Place): Promise<string[]> {
  const sockets = (await ask(place, 'other', 'ss', '-tinOH', 'state', 'established')).split('\n').map(parseSsLine);
  return sockets.flatMap(socket => ((socket?.bytesSent ?? 0) > 10_000 ? [socket!.congestionControl] : []));
}

/** The leases of the demonstration: its own, with the screen, and that of its network. */
function demoLeases(place: Place): LeaseRecord[] {
  const leases = leasesOf(place.state).filter(({ turn }) => turn === undefined);
  assert.ok(
    leases.some(({ namespaces }) => namespaces.length > 0) && leases.some(({ processes }) => processes.length > 0),
  );
  return leases;
}

/** The display that a process shows its windows on. */
function displayOf(pid: number): string {
  const variables = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  return variables.find(variable => variable.startsWith('DISPLAY='))!.slice('DISPLAY='.length);
}

/** The middle of a window, without its frame. */
const middle = ({ left, top, width, height }: Region): Region => ({
  left: left + width * 0.15,
  top: top + height * 0.15,
  width: width * 0.7,
  height: height * 0.7,
});

/**
 * In each chart, the most pixels that are of one of its curves' colours, but for the one that the axes have, too: for
 * the page.
 */
const curvePixels = `(() => {
  const probe = document.body.appendChild(Object.assign(document.createElement('i'), { style: 'color: var(--soft)' }));
  const soft = getComputedStyle(probe).color;
  probe.remove();
  return [...document.querySelectorAll('#charts figure')].map(figure => {
    const canvas = figure.querySelector('canvas');
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    const colours = [...figure.querySelectorAll('figcaption b')]
      .map(value => getComputedStyle(value).color)
      .filter(colour => colour !== soft);
    return Math.max(...colours.map(colour => {
      const [red, green, blue] = colour.match(/\\d+/g).map(Number);
      let pixels = 0;
      const isNear = (a, b) => Math.abs(a - b) < 8;
      for (let i = 0; i < data.length; i += 4)
        if (isNear(data[i], red) && isNear(data[i + 1], green) && isNear(data[i + 2], blue) && data[i + 3] > 200)
          pixels++;
      return pixels;
    }));
  });
})()`;

/** Sockets of the displays that there are. */
const displays = () => (existsSync('/tmp/.X11-unix') ? readdirSync('/tmp/.X11-unix').sort() : []);

async function assertNothingLeft(
  place: Place,
  leases: readonly LeaseRecord[],
  displaysBefore: readonly string[],
): Promise<void> {
  assert.deepEqual(readdirSync(place.state), []);
  const { stdout } = await run(['ip', 'netns', 'list']);
  for (const { id, scratch, processes } of leases) {
    assert.ok(!stdout.includes(`coexist-${id}`), stdout);
    assert.ok(!existsSync(scratch));
    await until(() => (processes.some(isAlive) ? undefined : true), 5000, 'its processes to end');
  }
  assert.deepEqual(displays(), displaysBefore);
}

/** The viewer's browser. The programs that put it into its sandbox began before it, and heed no SIGTERM. */
const viewerOf = (place: Place): Promise<number> =>
  until(
    async () => (await processesIn(await namespace(place, 'client'), '--remote-debugging-pipe', '--type=')).at(-1),
    5000,
    "the viewer's browser",
  );

describe('the demonstration', { skip }, () => {
  const place = new Place();
  after(async () => {
    await place.run(['clean']);
    place.remove();
  });

  test('its controls change the link and the flood that run; Ctrl-C ends it at once and leaves nothing', async () => {
    const before = displays();
    const picture = join(scratch, 'screen.png');
    const session = await started(place, '--picture', picture, '--set', 'service.audio.bitrate=32kbit');
    await openControls(session);
    await browser.page.locator('#voice', { hasText: /^Voice broke off by the browser\d/ }).waitFor({ timeout: 10_000 });
    assert.match(session.stdout, /^screen: :\d+, a display of Xvfb that nobody sees/m);
    assert.equal(await linkRateBps(place), 10e6);
    assert.deepEqual(await floodSockets(place), []);

    const button = browser.page.locator('#switch');
    await button.filter({ hasText: 'Start the flood: CUBIC' }).click();
    await until(async () => ((await floodSockets(place)).join() === 'cubic' ? true : undefined), 15_000, 'the flood');
    await button.filter({ hasText: 'Stop the flood' }).click();
    await until(async () => ((await floodSockets(place)).length === 0 ? true : undefined), 15_000, 'the flood to end');

    await choose('rate', '5mbit');
    await until(async () => ((await linkRateBps(place)) === 5e6 ? true : undefined), 5000, 'the rate to change');
    await choose('queue', '100packets');
    await until(
      async () =>
        (await ask(place, 'router', 'tc', 'qdisc', 'show', 'dev', 'toClient')).includes('limit 100p')
          ? true
          : undefined,
      5000,
      'the limit to change',
    );
    await choose('loss', '1%');
    await until(
      async () =>
        (await ask(place, 'router', 'tc', 'filter', 'show', 'dev', 'toClient', 'egress')).includes('loss')
          ? true
          : undefined,
      5000,
      'the loss',
    );
    await choose('loss', '0%');
    await until(
      async () =>
        (await ask(place, 'router', 'tc', 'filter', 'show', 'dev', 'toClient', 'egress')).includes('loss')
          ? undefined
          : true,
      5000,
      'the loss to end',
    );

    await choose('flows', '2');
    await choose('flood', 'cubic');
    await until(
      async () => ((await floodSockets(place)).join() === 'cubic,cubic' ? true : undefined),
      15_000,
      'the flood',
    );
    await browser.page.locator('footer', { hasText: 'CUBIC, 2 flows' }).waitFor({ timeout: 10_000 });
    await browser.page
      .locator('figcaption', { hasText: /flood [1-9]/ })
      .first()
      .waitFor({ timeout: 10_000 });
    await browser.page
      .locator('#beside', { hasText: /(2[5-9]|3\d)\.\d frames per second/ })
      .waitFor({ timeout: 10_000 });
    await choose('flood', 'reno');
    await until(
      async () => ((await floodSockets(place)).join() === 'reno,reno' ? true : undefined),
      15_000,
      'the other flood',
    );
    await choose('flood', 'none');
    await until(async () => ((await floodSockets(place)).length === 0 ? true : undefined), 15_000, 'the flood to end');

    const leases = demoLeases(place);
    session.process.kill('SIGINT');
    const { status, stderr } = await session.finish(10_000);
    assert.deepEqual([status, stderr], [130, 'interrupted\n']);
    assert.match(session.stdout, /^through the link: .*; the voice (never broke off|broke off .* in all)$/m);
    assert.equal(readFileSync(picture).toString('latin1', 1, 4), 'PNG');
    await assertNothingLeft(place, leases, before);
  });

  test('its windows show both streams and the curves', {
    skip: has('xwd') ? false : 'needs xwd: apt-get install x11-apps',
  }, async () => {
    const before = displays();
    const session = await started(place, '--set', 'flood.congestionControl=cubic');
    const leases = demoLeases(place);
    try {
      const display = displayOf(await viewerOf(place));
      await openControls(session);
      await browser.page
        .locator('figcaption', { hasText: /flood [1-9]/ })
        .first()
        .waitFor({ timeout: 15_000 });
      await sleep(drawnMs);
      const pixels = await browser.page.evaluate<number[]>(curvePixels);
      assert.ok(
        pixels.length === 5 && pixels.every(drawn => drawn > 50),
        `pixels of the curves, chart by chart: ${pixels.join(', ')}`,
      );

      const path = join(scratch, 'screen.xwd');
      const first = await shoot(display, path);
      await sleep(movedMs);
      const second = await shoot(display, path);
      const { harmed, unharmed, controls } = tile({ left: 0, top: 0, width: first.width, height: first.height });
      for (const [name, window] of Object.entries({ harmed, unharmed })) {
        const [grid, later] = [first.grid(middle(window)), second.grid(middle(window))];
        assert.ok(colours(grid) > 200, `${name}: ${colours(grid)} colours`);
        assert.ok(changed(grid, later) > 0.2, `${name}: ${changed(grid, later)} of it moved`);
      }
      const shown = first.grid(controls);
      assert.ok(colours(shown) > 20, `the controls: ${colours(shown)} colours`);
    } finally {
      session.process.kill('SIGINT');
    }
    assert.equal((await session.finish(10_000)).status, 130);
    await assertNothingLeft(place, leases, before);
  });

  test('--set gives the first values, --seconds ends it', async () => {
    const before = displays();
    const session = await started(
      place,
      '--set',
      'link.rate=3mbit',
      '--set',
      'flood.congestionControl=cubic',
      '--seconds',
      '30',
    );
    assert.equal(await linkRateBps(place), 3e6);
    await until(async () => ((await floodSockets(place)).join() === 'cubic' ? true : undefined), 15_000, 'the flood');
    const leases = demoLeases(place);
    const { status, stderr } = await session.finish(60_000);
    assert.deepEqual([status, stderr], [0, '']);
    await assertNothingLeft(place, leases, before);
  });

  test('a window that is closed ends it', async () => {
    const before = displays();
    const session = await started(place);
    const leases = demoLeases(place);
    process.kill(await viewerOf(place), 'SIGTERM');
    const { status, stdout, stderr } = await session.finish(15_000);
    assert.deepEqual([status, stderr], [0, '']);
    assert.match(stdout, /a window was closed, or its browser died: the demonstration ends\n$/);
    await assertNothingLeft(place, leases, before);
  });

  test('what kill -9 leaves goes with the next start', async () => {
    const before = displays();
    const session = await started(place);
    const leases = demoLeases(place);
    session.process.kill('SIGKILL');
    await session.finish(5000);
    const { status, stdout } = await place.run(['clean']);
    assert.equal(status, 0);
    assert.match(stdout, /removed what 1 killed run left: 6 namespaces/);
    await assertNothingLeft(place, leases, before);
  });
});

describe('the demonstration without a display', { skip: cannotRun }, () => {
  const place = new Place();
  after(() => place.remove());

  test('is refused in one line with the mend', async () => {
    const { status, stderr } = await place.run(['demo'], { DISPLAY: '', WAYLAND_DISPLAY: '' });
    assert.equal(status, 2);
    assert.match(
      stderr,
      /^the demonstration needs a display, and neither DISPLAY nor WAYLAND_DISPLAY is set\n {2}-> run it in a graphical session, or .*--xvfb.*\n$/,
    );
  });
});
