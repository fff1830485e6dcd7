/** What a confined browser sees of the folder of its own program. */
import assert from 'node:assert/strict';
import { mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, test } from 'node:test';
import { confineScript } from '../../../../harness/browser/confine.ts';
import { programPlace } from '../../../../harness/browser/program-place.ts';
import { temporaryFolder } from '../support/folder.ts';
import { standIn } from '../support/stand-in.ts';

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
  const program = '/proc/version'; // any file that every machine has in a folder of /
  for (const path of [program, '/proc/../proc/version'])
    assert.deepEqual(placeOf(path), { program, files: [program, program] });
  assert.deepEqual(placeOf(process.execPath).program, process.execPath);
  assert.equal(programPlace('/bin/sh', () => true).program, '/bin/sh');
});

/** Of the script, where each of its mounts comes from. */
function mounted(executable: string): string[] {
  const script = confineScript({
    executable,
    userId: 65_534,
    root: '/nowhere',
    environment: {},
    files: [],
    devices: [],
    groups: [],
    copies: {},
    nameServer: null,
    virtualDisplay: null,
  });
  return script.split('\n').flatMap(line => / (\/nowhere\S*) none /.exec(line)?.[1]?.replace('/nowhere', '') ?? []);
}

test('the script mounts neither / nor a home for it', () => {
  atHome(home);
  assert.ok(mounted(inHome).includes(inHome) && !mounted(inHome).includes(home), 'of a home');
  assert.ok(mounted('/proc/version').includes('/proc/version') && !mounted('/proc/version').includes('/proc'));
  assert.ok(mounted(link).includes(own) && !mounted(link).includes(home));
});
