/** Which browser is used: CHROMIUM_PATH, then one that is installed, then Playwright's own. */
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright-core';
import { CoexistError } from '../../core/errors.ts';

export const browserNames = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'] as const;

function executable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile(); // a folder may be "executable" too
  } catch {
    return false;
  }
}

/** Path of the browser. Throws `no-browser` with the mend. */
export function findBrowser(environment: NodeJS.ProcessEnv = process.env): string {
  const named = environment['CHROMIUM_PATH'];
  if (named !== undefined && named !== '') {
    if (executable(named)) return named;
    throw new CoexistError('no-browser', `CHROMIUM_PATH names ${named}, which is not an executable file`, {
      hint: 'correct the variable or unset it',
    });
  }
  for (const name of browserNames) {
    for (const directory of (environment['PATH'] ?? '').split(delimiter)) {
      const path = join(directory, name);
      if (directory !== '' && executable(path)) return path;
    }
  }
  const own = chromium.executablePath();
  if (own !== '' && existsSync(own)) return own;
  throw new CoexistError('no-browser', 'no Chromium or Chrome was found', {
    hint: 'install one (on Debian: apt-get install chromium), or name it with CHROMIUM_PATH',
  });
}
