/** Tests of the files that a confined browser sees of its own program. */
import assert from 'node:assert/strict';
import { mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, test } from 'node:test';
import { confineScript } from '../../../../../harness/trial/browser/confine.ts';
import { holdsMore, programPlace, startHint } from '../../../../../harness/trial/browser/program-place.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { standIn } from '../../support/stand-in.ts';

const home = realpathSync(temporaryFolder());
const own = join(home, 'apps/chrome');
mkdirSync(own, { recursive: true });
const inHome = standIn(home, 'chrome', 'exit');
const inOwn = standIn(own, 'chrome', 'exit');
const link = join(home, 'chrome-link');
symlinkSync(inOwn, link);
const placeOf = (executable: string) => programPlace(executable, path => path.startsWith('/usr/'));

const { HOME } = process.env;
const atHome = (path: string) => (process.env['HOME'] = path);
afterEach(() => {
  if (HOME === undefined) delete process.env['HOME'];
  else process.env['HOME'] = HOME;
});

test('a program is seen with what lies beside it; in a home it is seen alone', () => {
  atHome(home);
  assert.deepEqual(placeOf(inOwn), { program: inOwn, files: [own, own] });
  assert.deepEqual(placeOf(inHome), { program: inHome, files: [inHome, inHome] });
  assert.deepEqual(placeOf(link), { program: inOwn, files: [own, own] }, 'a link is followed');
  atHome(join(home, 'apps/somebody'));
  assert.deepEqual(placeOf(inHome).files, [inHome, inHome], 'nor is a folder seen that holds a home');
});

test('of / and its folders nothing else is seen either, by whatever path; what is seen anyway stays as it is', () => {
  const program = '/proc/version'; // a file directly in a folder of / that every machine has
  for (const path of [program, '/proc/../proc/version'])
    assert.deepEqual(placeOf(path), { program, files: [program, program] });
  assert.deepEqual(placeOf(process.execPath).program, process.execPath);
  assert.equal(programPlace('/bin/sh', () => true).program, '/bin/sh');
});

test('a folder of / that is not a usual one holds a program', () => {
  for (const folder of ['/headless-shell', '/chrome-linux64', '/opt/chrome', '/data/chrome'])
    assert.ok(!holdsMore(folder), folder);
  for (const folder of ['/', '/opt', '/mnt', '/data', '/Users', '/home', join('/home', 'somebody')])
    assert.ok(holdsMore(folder), folder);
});

test('the home of whoever used sudo is asked for where the list of users does not have them', () => {
  const { PATH, SUDO_UID } = process.env;
  const theirs = join(home, 'theirs');
  standIn(home, 'getent', `[ "$*" = 'passwd 4000000001' ] && echo 'u:x:4000000001:1::${theirs}:/bin/sh'`);
  try {
    process.env['PATH'] = `${home}:${PATH}`;
    assert.ok(!holdsMore(theirs));
    process.env['SUDO_UID'] = '4000000001';
    assert.ok(holdsMore(theirs));
    process.env['PATH'] = own; // getent is missing
    assert.ok(!holdsMore(theirs));
  } finally {
    process.env['PATH'] = PATH;
    if (SUDO_UID === undefined) delete process.env['SUDO_UID'];
    else process.env['SUDO_UID'] = SUDO_UID;
  }
});

test('that it is seen alone is said of one that does not start', () => {
  atHome(home);
  assert.match(
    startHint(inHome, true),
    /^if it needs other files of .*: give it a folder of its own; or start it by hand /,
  );
  for (const hint of [startHint(inHome, false), startHint(inOwn, true), startHint(join(home, 'none'), true)])
    assert.match(hint, /^start it by hand /);
});

/** Returns the sources of all mounts in the sandbox script. */
function mounted(executable: string): string[] {
  const script = confineScript({ executable, userId: 65_534, root: '/nowhere', environment: {}, files: [] });
  return script.split('\n').flatMap(line => / (\/nowhere\S*) none /.exec(line)?.[1]?.replace('/nowhere', '') ?? []);
}

test('the script mounts neither / nor a home for it', () => {
  atHome(home);
  assert.ok(mounted(inHome).includes(inHome) && !mounted(inHome).includes(home), 'of a home');
  assert.ok(mounted('/proc/version').includes('/proc/version') && !mounted('/proc/version').includes('/proc'));
  assert.ok(mounted(link).includes(own) && !mounted(link).includes(home));
});
