/**
 * Starts a fresh Chromium on a host, driven by Playwright. The profile is in the run's scratch folder and is removed
 * with it. The DevTools protocol uses a pipe, so that none of its data crosses the network under test.
 */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type LaunchOptions, type Page } from 'playwright-core';
import { CoexistError, messageOf } from '../../../core/errors.ts';
import { within } from '../../../core/system/deadline.ts';
import { type Host, isThisMachine } from '../../../core/system/host.ts';
import { plainEnd } from './bounds.ts';
import type { BrowserCommandOptions } from './browser-command.ts';
import { hasOwnDisplay, withSandboxThatStarts } from './confinement.ts';
import { type BrowserConfinement, entranceHere } from './entrance.ts';
import { firstLine } from './first-line.ts';
import { PlaywrightGuard } from './playwright-guard.ts';
import { startHint } from './program-place.ts';
import { entranceThere } from './there.ts';
import { type UseLimits, useLimits } from './use.ts';

export type BrowserOptions = BrowserCommandOptions & {
  host: Host;
  scratch: string;
  switches?: readonly string[];
  /** True: the browser uses QUIC if a server offers it. Default: false. */
  quic?: boolean;
  /** Path of a file for the browser's own log. Undefined: no log. */
  log?: string;
  width: number;
  height: number;
  /** Position of a window on the screen. The window then has no browser bars. */
  place?: WindowPlace;
  /** Resource limits. Default: `useLimits`. */
  limits?: UseLimits;
};

/** Position and size of a window on the screen, pixels. */
export type WindowPlace = { left: number; top: number; width: number; height: number };

export type BrowserWindow = {
  page: Page;
  version: string;
  confinement: BrowserConfinement;
  /** Rejects if the browser ends or the page crashes before `close`. */
  died: Promise<never>;
  close(): Promise<void>;
};

export const launchMs = 20_000;
const closeMs = 5000;

/** Switches in addition to Playwright's, with the reason for each. */
export const commonSwitches = [
  '--autoplay-policy=no-user-gesture-required', // pages start without a click
  '--disable-features=WebRtcHideLocalIpsWithMdns', // no multicast DNS between namespaces
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run', // the Internet is not reachable through the bottleneck
];

/** Switch that turns off HTTP/3. Only some services need HTTP/3. */
export const withoutQuic = '--disable-quic';

/** Starts the browser and opens an empty page. */
export async function openBrowser(options: BrowserOptions): Promise<BrowserWindow> {
  const isOnOwn = await hasOwnDisplay(options);
  if (
    options.headed &&
    !isOnOwn &&
    (process.env['DISPLAY'] ?? '') === '' &&
    (process.env['WAYLAND_DISPLAY'] ?? '') === ''
  ) {
    throw new CoexistError('no-display', '--headed needs a display, and neither DISPLAY nor WAYLAND_DISPLAY is set', {
      hint: 'run it in a graphical session, or under "xvfb-run -a"',
    });
  }
  return isThisMachine(options.host) ? withSandboxThatStarts(() => start(options, isOnOwn)) : start(options, isOnOwn);
}

async function start(options: BrowserOptions, isOnOwnDisplay: boolean): Promise<BrowserWindow> {
  const { host, scratch, headed, width, height } = options;
  const directory = mkdtempSync(join(scratch, 'browser-'));
  const limits = options.limits ?? useLimits;
  const entrance = isThisMachine(host)
    ? await entranceHere(host, { ...options, limits }, directory)
    : await entranceThere(host, { ...options, limits }, directory);
  const place = headed ? options.place : undefined;
  const size = place ?? { width, height: height + (headed ? 120 : 0) };
  const launchOptions = {
    executablePath: entrance.program,
    headless: !headed,
    timeout: launchMs,
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    ignoreDefaultArgs: ['--disable-popup-blocking'], // a page without a user opens no windows
    chromiumSandbox: entrance.hasChromiumSandbox,
    args: [
      ...commonSwitches,
      ...(options.quic === true ? [] : [withoutQuic]),
      ...(options.switches ?? []),
      `--window-size=${size.width},${size.height}`,
      ...(headed && (isOnOwnDisplay || (process.env['WAYLAND_DISPLAY'] ?? '') === '') ? ['--ozone-platform=x11'] : []),
    ],
    artifactsDir: directory,
    tracesDir: directory,
    downloadsPath: directory,
    env: entrance.environment,
  };
  const guard = new PlaywrightGuard();
  let browser: Browser;
  let frameless: BrowserContext | undefined;
  try {
    if (place === undefined) browser = await guard.run(() => chromium.launch(launchOptions));
    else {
      frameless = await guard.run(() => openFrameless(launchOptions, place));
      browser = frameless.browser()!;
    }
  } catch (error) {
    const { message } = await entrance.ended(plainEnd);
    await entrance.end();
    const why = message.startsWith(plainEnd) ? firstLine(messageOf(guard.reason ?? error)) : message;
    throw new CoexistError('browser-failed', `the browser ${options.executable} did not start: ${why}`, {
      hint: startHint(options.executable, isThisMachine(host) && entrance.confinement().isConfined),
      cause: error,
    });
  }
  const end = async () => {
    await within(browser.close(), closeMs, 'the browser to close').catch(() => entrance.kill());
    await entrance.end();
  };
  try {
    let closing = false;
    const { promise: died, reject } = Promise.withResolvers<never>();
    died.catch(() => {});
    const endForExcess = (error: CoexistError) => {
      reject(error);
      void entrance.kill().catch(() => {}); // `close` tries again
    };
    entrance.watch(endForExcess);
    guard.failed.catch(endForExcess);
    const ended = (what: string) => {
      if (!closing) void entrance.ended(`${what} in the middle of the trial`).then(reject);
    };
    browser.on('disconnected', () => ended(plainEnd));
    const page =
      frameless?.pages()[0] ??
      (await within(
        Promise.race([
          died, // a browser that dies meanwhile may leave `newPage` without an answer
          frameless?.newPage() ??
            browser.newPage({ viewport: headed ? null : { width, height }, acceptDownloads: false }),
        ]),
        launchMs,
        'the browser to open a page',
        { code: 'browser-failed' },
      ));
    page.on('crash', () => ended("the browser's page crashed"));
    let windows = 0;
    page.context().on('page', opened => {
      if (++windows > limits.windows)
        endForExcess(
          new CoexistError('browser-died', `the page opened ${windows} windows, and may open ${limits.windows}`),
        );
      else void opened.close().catch(() => {}); // not shown, and costs processor time
    });
    let downloads = 0;
    page.on('download', () => {
      if (++downloads > limits.downloads)
        // the browser refused each of the downloads
        endForExcess(
          new CoexistError('browser-died', `the page began ${downloads} downloads, and may begin ${limits.downloads}`),
        );
    });
    return {
      page,
      version: browser.version(),
      confinement: entrance.confinement(),
      died,
      async close() {
        closing = true;
        await end();
      },
    };
  } catch (error) {
    await end();
    throw guard.reason ?? error;
  }
}

/** Opens a window that shows only the page. Chromium allows that only for its first window. */
function openFrameless(
  options: LaunchOptions & { args: string[] },
  { left, top }: WindowPlace,
): Promise<BrowserContext> {
  // an empty name lets Playwright use a folder in /tmp, which a confined browser has for itself
  return chromium.launchPersistentContext('', {
    ...options,
    viewport: null,
    acceptDownloads: false,
    // --test-type hides the bar that warns of the missing sandbox
    args: [...options.args, `--window-position=${left},${top}`, '--test-type', '--app=data:text/html,'],
  });
}
