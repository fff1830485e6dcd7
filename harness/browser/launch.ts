/**
 * A fresh Chromium on a host, driven by Playwright. Its profile lies in the run's scratch folder and is
 * gone with it; the DevTools protocol goes over a pipe, so nothing of it crosses the network under test.
 */
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import type { Browser, LaunchOptions, Page } from 'playwright-core';
import { within } from '../../core/deadline.ts';
import { CoexistError, messageOf } from '../../core/errors.ts';
import type { Host } from '../../core/host.ts';
import { quoteWord } from '../../core/shell.ts';

export type BrowserOptions = {
  executable: string;
  host: Host;
  /** Folder for temporary files. */
  scratch: string;
  headed: boolean;
  /** Switches beyond those of every browser here. */
  switches?: readonly string[];
  /** Speaks QUIC where a server offers it; not, where not said. */
  quic?: boolean;
  /** File for what the browser says of itself. */
  log?: string;
  /** Added to its environment. */
  environment?: Record<string, string>;
  width: number;
  height: number;
  /** Where the window stands, headed: without the browser's own bars. */
  place?: WindowPlace;
};

/** On the screen, pixels. */
export type WindowPlace = { left: number; top: number; width: number; height: number };

export type BrowserWindow = {
  page: Page;
  version: string;
  /** Rejects when the browser ends or the page crashes before `close`. */
  died: Promise<never>;
  close(): Promise<void>;
};

export const launchMs = 20_000;

/** Switches beyond Playwright's own, each with its reason. */
export const commonSwitches = [
  '--no-sandbox', // as root there is no sandbox, and without this switch no start
  '--autoplay-policy=no-user-gesture-required', // nobody clicks
  '--disable-features=WebRtcHideLocalIpsWithMdns', // no multicast DNS between namespaces
  '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run', // there is no Internet behind the bottleneck
];

/** HTTP/3 is spoken where a service asks for it only. */
export const withoutQuic = '--disable-quic';

/** Starts the browser and opens an empty page. */
export async function openBrowser(options: BrowserOptions): Promise<BrowserWindow> {
  const { host, scratch, headed, width, height } = options;
  const directory = mkdtempSync(join(scratch, 'browser-'));
  // Playwright starts one program with its own arguments: this one, which enters the host and becomes the browser
  const wrapper = join(directory, 'browser');
  writeFileSync(wrapper, `#!/bin/sh\nexec ${host.command([options.executable]).map(quoteWord).join(' ')} "$@"${options.log === undefined ? '' : ` 2>${quoteWord(options.log)}`}\n`);
  chmodSync(wrapper, 0o700);
  if (headed && (process.env['DISPLAY'] ?? '') === '' && (process.env['WAYLAND_DISPLAY'] ?? '') === '') {
    throw new CoexistError('no-display', '--headed needs a display, and neither DISPLAY nor WAYLAND_DISPLAY is set', {
      hint: 'run it in a graphical session, or under "xvfb-run -a"',
    });
  }
  const place = headed ? options.place : undefined;
  const size = place ?? { width, height: height + (headed ? 120 : 0) };
  const launchOptions = {
    executablePath: wrapper, headless: !headed, timeout: launchMs, handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false,
    args: [...commonSwitches, ...options.quic === true ? [] : [withoutQuic], ...(options.switches ?? []), `--window-size=${size.width},${size.height}`, ...(headed && (process.env['WAYLAND_DISPLAY'] ?? '') === '' ? ['--ozone-platform=x11'] : [])],
    artifactsDir: directory, tracesDir: directory, downloadsPath: directory,
    // a headed browser needs the user's own home to find the display's key
    env: { ...process.env, TMPDIR: directory, ...(headed ? {} : { HOME: directory }), ...options.environment } as Record<string, string>,
  };
  let browser: Browser;
  let frameless: Page | undefined;
  try {
    if (place === undefined) browser = await chromium.launch(launchOptions);
    else ({ browser, page: frameless } = await openFrameless(directory, launchOptions, place));
  } catch (error) {
    throw new CoexistError('browser-failed', `the browser ${options.executable} did not start: ${firstLine(messageOf(error))}`, {
      hint: 'start it by hand to see what it says; name another with CHROMIUM_PATH', cause: error,
    });
  }
  try {
    const page = frameless ?? await within(browser.newPage({ viewport: headed ? null : { width, height } }), launchMs, 'the browser to open a page', { code: 'browser-failed' });
    let closing = false;
    const died = new Promise<never>((_, reject) => {
      const end = (what: string) => { if (!closing) reject(new CoexistError('browser-died', what)); };
      browser.on('disconnected', () => end('the browser ended in the middle of the trial'));
      page.on('crash', () => end('the browser\'s page crashed in the middle of the trial'));
    });
    died.catch(() => {});
    return {
      page, version: browser.version(), died,
      async close() {
        closing = true;
        await within(browser.close(), 5000, 'the browser to close').catch(() => {});
      },
    };
  } catch (error) {
    await browser.close().catch(() => {});
    throw error;
  }
}

/** A window that shows its page and nothing else, which a browser gives to the window that it starts with only. */
async function openFrameless(directory: string, options: LaunchOptions & { args: string[] }, { left, top }: WindowPlace): Promise<{ browser: Browser; page: Page }> {
  const context = await chromium.launchPersistentContext(join(directory, 'profile'), {
    ...options, viewport: null,
    // --test-type: no bar that warns of the missing sandbox
    args: [...options.args, `--window-position=${left},${top}`, '--test-type', '--app=data:text/html,'],
  });
  return { browser: context.browser()!, page: context.pages()[0] ?? await context.newPage() };
}

function firstLine(text: string): string {
  return text.split('\n').find(line => line.trim() !== '')?.trim() ?? text;
}
