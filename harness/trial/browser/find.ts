/** Finds the browser to use: the one that CHROMIUM_PATH names, else an installed one, else Playwright's own. */
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { CoexistError } from '../../../core/errors.ts';
import { type Host, isThisMachine } from '../../../core/system/host.ts';
import { installedBrowsers, isProgram } from '../../setup/programs.mjs';

/** Returns the path of the browser on this machine. Throws `no-browser` with a remedy. */
export function findBrowser(environment: NodeJS.ProcessEnv = process.env): string {
  const named = environment['CHROMIUM_PATH'];
  if (named !== undefined && named !== '') {
    if (isProgram(named)) return named;
    throw new CoexistError('no-browser', `CHROMIUM_PATH names ${named}, which is not an executable file`, {
      hint: 'correct the variable or unset it',
    });
  }
  const [installed] = installedBrowsers(environment['PATH'] ?? '');
  if (installed !== undefined) return installed;
  const own = chromium.executablePath();
  if (own !== '' && existsSync(own)) return own;
  throw new CoexistError('no-browser', 'no Chromium or Chrome was found', {
    hint: 'install one (on Debian: apt-get install chromium), or name it with CHROMIUM_PATH',
  });
}

const printInstalled = new URL('installed-main.ts', import.meta.url);

/** Returns the path of the browser on a host. Throws `no-browser` with a remedy. */
export async function findBrowserOn(host: Host): Promise<string> {
  if (isThisMachine(host)) return findBrowser();
  const { stdout } = await host.run(await host.moduleWords(printInstalled));
  if (stdout !== '') return stdout;
  throw new CoexistError('no-browser', `machine "${host.name}" has no Chromium or Chrome outside of snap`, {
    hint: 'install one there (on Debian: apt-get install chromium)',
  });
}
