/** Step of set-up that installs a browser if none is installed. */
import { existsSync, readFileSync } from 'node:fs';
import { findProgram, hasChromiumPackage, installedBrowsers } from './programs.mjs';

const playwright = 'node_modules/playwright-core/cli.js';

/**
 * Form of the names of Debian packages. Other names are not passed to apt-get: it would remove a package for "name-"
 * and install a file for "./name".
 */
const packageName = /^[a-z0-9][a-z0-9.+-]*[a-z0-9+](:[a-z0-9]+)?$/;

/**
 * Returns the packages that the output of `playwright install-deps --dry-run` lists as missing. Undefined if the output
 * has another form or lists none.
 */
function namedPackages(said) {
  const names = /^Missing system dependencies \(\d+\):\n(.+)$/ms.exec(said)?.[1].trim().split(/\s+/);
  return names?.every(name => packageName.test(name)) ? names : undefined;
}

/** Returns the step of set-up. The argument contains helper functions of setup.mjs. */
export function browserStep({ run, rootly, timed, pinnedNode, installSystemPackages, SetupError }) {
  /** Returns true if Playwright's browser is in the cache of the user. */
  function playwrightBrowser() {
    const { status, stdout } = run(
      [pinnedNode, '-e', 'process.stdout.write(require("playwright-core").chromium.executablePath())'],
      { allowFailure: true },
    );
    return status === 0 && stdout !== '' && existsSync(stdout);
  }

  /** Returns the packages that Playwright's Chromium needs and that are not installed. */
  function missingForPlaywright() {
    const look = () => {
      const ask = [pinnedNode, playwright, 'install-deps', 'chromium', '--dry-run'];
      const { status, stdout, stderr } = run(ask, { allowFailure: true });
      return { names: status === 0 ? [] : namedPackages(stdout ?? ''), said: `${stdout ?? ''}${stderr ?? ''}` };
    };
    const first = look();
    if (first.names !== undefined) return first.names;
    run(rootly(['apt-get', 'update'])); // the lists of packages may be missing or old
    const { names, said } = look();
    if (names !== undefined) return names;
    throw new SetupError(
      `Playwright does not say which packages its Chromium needs:\n  ${said.trim().split('\n').slice(-6).join('\n  ')}\n` +
        '  -> install a browser, and name its program with CHROMIUM_PATH',
    );
  }

  return {
    isDone: () => (process.env.CHROMIUM_PATH ?? '') !== '' || installedBrowsers().length > 0 || playwrightBrowser(),
    make(osRelease = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : '') {
      if (hasChromiumPackage(osRelease) || findProgram('apt-get') === undefined)
        return installSystemPackages(['chromium']);
      // Playwright could install these packages, but then a program from npm would run as root
      const missing = missingForPlaywright();
      if (missing.length > 0) installSystemPackages(missing);
      timed("installing Playwright's Chromium", () => run([pinnedNode, playwright, 'install', 'chromium']));
    },
  };
}
