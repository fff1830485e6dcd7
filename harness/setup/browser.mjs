/** The step of set-up that brings a browser. */
import { existsSync, readFileSync } from 'node:fs';
import { findProgram, hasChromiumPackage, installedBrowsers } from './programs.mjs';

const playwright = 'node_modules/playwright-core/cli.js';

/**
 * Names of packages as Debian has them. No others are handed to apt-get, for which "name-" is a package to remove and
 * "./name" a file to install.
 */
const packageName = /^[a-z0-9][a-z0-9.+-]*[a-z0-9+](:[a-z0-9]+)?$/;

/** What `playwright install-deps --dry-run` names as missing; undefined where it names nothing, or no packages. */
function namedPackages(said) {
  const names = /^Missing system dependencies \(\d+\):\n(.+)$/ms.exec(said)?.[1].trim().split(/\s+/);
  return names?.every(name => packageName.test(name)) ? names : undefined;
}

/** `from`: what steps are made with (setup.mjs). */
export function browserStep({ run, rootly, timed, pinnedNode, installSystemPackages, SetupError }) {
  /** Playwright keeps its browsers in the user's cache. */
  function playwrightBrowser() {
    const { status, stdout } = run(
      [pinnedNode, '-e', 'process.stdout.write(require("playwright-core").chromium.executablePath())'],
      { allowFailure: true },
    );
    return status === 0 && stdout !== '' && existsSync(stdout);
  }

  /** Packages that Playwright's Chromium needs and that are missing. */
  function missingForPlaywright() {
    const look = () => {
      const ask = [pinnedNode, playwright, 'install-deps', 'chromium', '--dry-run'];
      const { status, stdout, stderr } = run(ask, { allowFailure: true });
      return { names: status === 0 ? [] : namedPackages(stdout ?? ''), said: `${stdout ?? ''}${stderr ?? ''}` };
    };
    const first = look();
    if (first.names !== undefined) return first.names;
    run(rootly(['apt-get', 'update'])); // the lists may be missing or old
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
      // Playwright would install the packages itself, but then a program that npm has brought would run as root
      const missing = missingForPlaywright();
      if (missing.length > 0) installSystemPackages(missing);
      timed("installing Playwright's Chromium", () => run([pinnedNode, playwright, 'install', 'chromium']));
    },
  };
}
