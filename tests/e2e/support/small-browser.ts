/** Browsers in a window of 640x360, and what ends one that takes too much. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { within } from '../../../core/system/deadline.ts';
import { localHost } from '../../../core/system/local-host.ts';
import { confinement } from '../../../harness/trial/browser/confinement.ts';
import { findBrowser } from '../../../harness/trial/browser/find.ts';
import { type BrowserOptions, openBrowser } from '../../../harness/trial/browser/launch.ts';
import { cannotRun } from './run-command.ts';

/** Why no browser can be confined here; false where one can. */
export const skip =
  cannotRun ??
  ((await confinement()).isConfined ? false : `this machine confines no browser: ${(await confinement()).obstacle}`);

/** Folder of the browsers of the file that imports this. */
export const scratch = mkdtempSync(join(tmpdir(), 'coexist-sandbox-'));
after(() => rmSync(scratch, { recursive: true, force: true }));
/** A window of 640x360 in this machine's own network. */
export const openSmall = (more: Pick<BrowserOptions, 'limits'> = {}) =>
  openBrowser({
    executable: findBrowser(),
    host: localHost,
    scratch,
    headed: false,
    width: 640,
    height: 360,
    ...more,
  });
/** For the page chrome://sandbox: its rows. */
export const sandboxed = 'Array.from(document.querySelectorAll("tr"), row => row.innerText.replace(/\\s+/g, " "))';

/** Limits of a browser of these tests. */
export const limits = { processes: 200, memoryBytes: 600 * 2 ** 20, windows: 3, downloads: 3 };

/** Checks the reason with which a page that takes too much ends, and that the machine has its memory again. */
export async function endsWith(died: Promise<never>, close: () => Promise<void>, reason: object): Promise<void> {
  try {
    await assert.rejects(within(died, 60_000, 'the browser to be ended'), reason);
  } finally {
    await close();
  }
}
