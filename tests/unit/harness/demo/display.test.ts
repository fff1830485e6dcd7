import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { checkDisplay } from '../../../../harness/demo/display.ts';
import { temporaryFolder } from '../support/folder.ts';

const empty = temporaryFolder();
const withXvfb = temporaryFolder();
writeFileSync(join(withXvfb, 'Xvfb'), '#!/bin/sh\n', { mode: 0o755 });

test('a display of either kind will do', () => {
  checkDisplay(false, { DISPLAY: ':0', PATH: empty });
  checkDisplay(false, { WAYLAND_DISPLAY: 'wayland-0', PATH: empty });
  checkDisplay(true, { PATH: `${empty}:${withXvfb}` });
});

test('without one, the mend is named that this machine has', () => {
  assert.throws(() => checkDisplay(false, { DISPLAY: '', PATH: withXvfb }), {
    code: 'no-display',
    hint: /, or with --xvfb on a screen that nobody sees$/,
  });
  assert.throws(() => checkDisplay(false, { PATH: empty }), {
    code: 'no-display',
    hint: /install Xvfb \(apt-get install xvfb\)/,
  });
  assert.throws(() => checkDisplay(true, { PATH: empty, DISPLAY: ':0' }), {
    code: 'no-display',
    message: /--xvfb needs the program Xvfb/,
    hint: 'apt-get install xvfb',
  });
});
