import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { checkDisplay, controlsWords, displayWords } from '../../../../harness/demo/display.ts';
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

test('the terminal says where the windows are, whose display that is, and how to see what nobody sees', () => {
  assert.match(displayWords(undefined, { DISPLAY: ':0' }), /^screen: :0 \(from DISPLAY\): three windows open there/);
  assert.match(
    displayWords(undefined, { WAYLAND_DISPLAY: 'wayland-0', DISPLAY: ':1' }),
    /wayland-0 \(from WAYLAND_DISPLAY\)/,
  );
  assert.match(displayWords(':99'), /^screen: :99, a display of Xvfb that nobody sees.*--picture FILE\.png/);
  const words = controlsWords('http://127.0.0.1:40123/?token=abc');
  assert.match(words, /^controls: http:\/\/127\.0\.0\.1:40123\/\?token=abc\n/);
  assert.match(words, /any browser on this machine.*ssh -L 40123:127\.0\.0\.1:40123/);
});
