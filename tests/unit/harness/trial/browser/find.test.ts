import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { run } from '../../../../../core/system/command.ts';
import type { Host } from '../../../../../core/system/host.ts';
import { temporaryFolder } from '../../support/folder.ts';

const folder = temporaryFolder();
// Playwright reads the folder of its own browsers from this variable, and only once
process.env['PLAYWRIGHT_BROWSERS_PATH'] = join(folder, 'playwright');
const { findBrowser, findBrowserOn } = await import('../../../../../harness/trial/browser/find.ts');

function program(directory: string, name: string, mode = 0o755): string {
  const path = join(folder, directory, name);
  mkdirSync(join(folder, directory), { recursive: true });
  writeFileSync(path, '#!/bin/sh\n');
  chmodSync(path, mode);
  return path;
}

const PATH = (...directories: string[]) => directories.map(directory => join(folder, directory)).join(':');

test('the one that CHROMIUM_PATH names comes first', () => {
  const named = program('named', 'my-browser');
  program('bin', 'chromium');
  assert.equal(findBrowser({ CHROMIUM_PATH: named, PATH: PATH('bin') }), named);
});

test('CHROMIUM_PATH must name a program', () => {
  const text = program('named', 'text', 0o644);
  program('bin', 'chromium');
  for (const path of [text, join(folder, 'nothing'), join(folder, 'named')]) {
    assert.throws(() => findBrowser({ CHROMIUM_PATH: path, PATH: PATH('bin') }), {
      code: 'no-browser',
      message: `CHROMIUM_PATH names ${path}, which is not an executable file`,
    });
  }
});

test('then one that is installed, by name and then by place', () => {
  const chrome = program('first', 'google-chrome');
  const chromium = program('second', 'chromium');
  assert.equal(findBrowser({ PATH: PATH('first', 'second') }), chromium, 'Chromium before Chrome, wherever they are');
  assert.equal(findBrowser({ PATH: PATH('first') }), chrome);
  const earlier = program('third', 'chromium');
  assert.equal(findBrowser({ PATH: PATH('third', 'second'), CHROMIUM_PATH: '' }), earlier);
});

test('a folder or a file that cannot be run is no browser', () => {
  mkdirSync(join(folder, 'odd', 'chromium'), { recursive: true });
  program('plain', 'chromium', 0o644);
  const chrome = program('last', 'google-chrome-stable');
  assert.equal(findBrowser({ PATH: `${PATH('odd', 'plain')}::${PATH('last')}` }), chrome);
});

test('a snap is none, neither by its link nor by the script of a package that starts it', () => {
  const snap = program('usr', 'snap');
  mkdirSync(join(folder, 'snap-bin'), { recursive: true });
  symlinkSync(snap, join(folder, 'snap-bin', 'chromium'));
  writeFileSync(program('script', 'chromium-browser'), '#!/bin/sh\nexec /snap/bin/chromium "$@"\n');
  assert.throws(() => findBrowser({ PATH: PATH('snap-bin', 'script') }), { code: 'no-browser' });
  const chrome = program('beside', 'google-chrome');
  assert.equal(findBrowser({ PATH: PATH('snap-bin', 'script', 'beside') }), chrome);
});

test('on another machine it is the first that is no snap', async () => {
  const there = (path: string) =>
    ({
      name: 'right',
      moduleWords: async (module: URL) => [process.execPath, fileURLToPath(module)],
      run: (argv: readonly string[], options: object) => run(argv, { ...options, env: { PATH: path } }),
    }) as unknown as Host;
  const chromium = program('there', 'chromium');
  assert.equal(await findBrowserOn(there(PATH('odd', 'plain', 'snap-bin', 'script', 'there'))), chromium);
  await assert.rejects(findBrowserOn(there(PATH('snap-bin', 'script'))), {
    code: 'no-browser',
    message: 'machine "right" has no Chromium or Chrome outside of snap',
  });
});

test('without any the error names the mend', () => {
  mkdirSync(join(folder, 'empty'), { recursive: true });
  assert.throws(() => findBrowser({ PATH: PATH('empty') }), {
    code: 'no-browser',
    message: 'no Chromium or Chrome was found',
    hint: /install one .*CHROMIUM_PATH/,
  });
  assert.throws(() => findBrowser({}), { code: 'no-browser' });
});

test("Playwright's own is the last resort", async () => {
  const { chromium } = await import('playwright-core');
  const own = chromium.executablePath();
  assert.ok(own.startsWith(folder), own);
  mkdirSync(join(own, '..'), { recursive: true });
  writeFileSync(own, '');
  assert.equal(findBrowser({ PATH: PATH('empty') }), own);
});
