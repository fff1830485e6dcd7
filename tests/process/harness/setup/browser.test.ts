/** Installation of Playwright's Chromium by set-up, on systems without a package with a browser. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { projectRoot } from '../../../../core/system/paths.ts';
import { temporaryFolder } from '../../../unit/harness/support/folder.ts';
import { standIn } from '../../../unit/harness/support/stand-in.ts';

type Step = { make(osRelease: string): void };
const setup = new URL('../../../../harness/setup/browser.mjs', import.meta.url);
const { browserStep } = (await import(setup.href)) as { browserStep(from: object): Step };

class Refusal extends Error {}

type Started = { status: number | null; stdout?: string; stderr?: string };

/**
 * Commands of set-up, as root and as the user, on an Ubuntu with this apt-get script. `answer`: output of Playwright if
 * it is not run.
 */
function bringBrowser(aptGet: string, answer?: Started) {
  const folder = temporaryFolder();
  const log = join(folder, 'log');
  standIn(folder, 'apt-get', `echo "$1 $2" >> '${log}'; ${aptGet}`);
  const [asRoot, asUser, installed]: [string[], string[], string[]] = [[], [], []];
  const answers: Started[] = [];
  const roots = new Set<string[]>();
  const step = browserStep({
    run(argv: string[]) {
      (roots.has(argv) ? asRoot : asUser).push(argv.slice(roots.has(argv) ? 0 : 2).join(' '));
      if (argv[2] === 'install') return { status: 0 }; // the download
      if (answer !== undefined) return answer;
      const started = spawnSync(argv[0]!, argv.slice(1), {
        cwd: projectRoot,
        encoding: 'utf8',
        env: {
          ...process.env,
          PATH: `${folder}:${process.env['PATH']}`,
          PLAYWRIGHT_HOST_PLATFORM_OVERRIDE: 'ubuntu24.04-x64',
        },
      });
      answers.push(started);
      return started;
    },
    rootly(argv: string[]) {
      roots.add(argv);
      return argv;
    },
    timed: (_: string, make: () => void) => make(),
    pinnedNode: process.execPath,
    installSystemPackages: (names: string[]) => installed.push(...names),
    SetupError: Refusal,
  });
  const { PATH } = process.env;
  process.env['PATH'] = `${folder}:${PATH}`;
  try {
    step.make('ID=ubuntu\nID_LIKE=debian\n');
  } finally {
    process.env['PATH'] = PATH;
    if (answer === undefined)
      for (const line of readFileSync(log, 'utf8').trim().split('\n'))
        assert.match(line, /^(install -s|update)/, 'Playwright only asks');
  }
  return { asRoot, asUser, installed, answers };
}

const ask = 'install-deps chromium --dry-run';
const simulated = (...names: string[]) =>
  names.map(name => `echo "Inst ${name} (1.0 Ubuntu:24.04 [amd64])"`).join('; ');

test("Playwright says which packages are missing, and only the system's package manager installs them as root", () => {
  const { asRoot, asUser, installed } = bringBrowser(simulated('libnss3', 'libstdc++6', 'libasound2t64', 'g++'));
  assert.deepEqual(installed, ['g++', 'libasound2t64', 'libnss3', 'libstdc++6']);
  assert.deepEqual([asRoot, asUser], [[], [ask, 'install chromium']]);
});

test('where none is missing, none is installed', () => {
  const { asRoot, asUser, installed } = bringBrowser('true');
  assert.deepEqual([asRoot, asUser, installed], [[], [ask, 'install chromium'], []]);
});

test('where apt has no lists yet, it gets them first', () => {
  const folder = temporaryFolder();
  const lists = join(folder, 'lists');
  const { asRoot, asUser, installed } = bringBrowser(
    `if [ "$1" = update ]; then mkdir '${lists}'; ` +
      `elif [ -d '${lists}' ]; then ${simulated('libnss3')}; else echo 'E: Unable to locate package' >&2; exit 100; fi`,
  );
  assert.deepEqual(asRoot, ['apt-get update']);
  assert.deepEqual([asUser, installed], [[ask, ask, 'install chromium'], ['libnss3']]);
});

test('what is no name of a package is not handed to apt-get, and set-up says so', () => {
  // Playwright repeats apt-get's words, so it runs once, and the names in its answer are then replaced
  const { answers, installed } = bringBrowser(simulated('libnss3', 'libplain'));
  assert.deepEqual([answers.length, installed], [1, ['libnss3', 'libplain']]);
  const { status, stdout, stderr } = answers[0]!;
  assert.match(`${stdout}${stderr}`, /libplain/);
  const refuse = (name: string) => {
    const renamed = (text = '') => text.replaceAll('libplain', name);
    bringBrowser('', { status, stdout: renamed(stdout), stderr: renamed(stderr) });
  };
  for (const name of ['libc6-', './own.deb', '--option', 'lib*'])
    assert.throws(
      () => (name === 'libc6-' ? bringBrowser(simulated('libnss3', name)) : refuse(name)),
      (error: Error) => {
        assert.match(error.message, /^Playwright does not say which packages .*:\n[\s\S]*\n {2}-> install a browser/);
        return error instanceof Refusal;
      },
      name,
    );
});
