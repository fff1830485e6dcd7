import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { run } from '../../../../harness/base/command.ts';
import type { Output } from '../../../../harness/base/command.ts';
import { temporaryFolder } from '../../harness/support/folder.ts';

const source = fileURLToPath(new URL('../../../../shaper/native/', import.meta.url));
const build = join(temporaryFolder(), 'build');
const loader = join(build, 'coexist-loss');
const missing = await missingTool();
const skip = missing === undefined ? false : `needs ${missing}, to build the native helpers`;
const make = (...words: string[]) => run(['make', '-B', '-C', source, `BUILD=${build}`, ...words], { timeoutMs: 120_000 });

async function missingTool(): Promise<string | undefined> {
  for (const tool of ['make', 'cc', 'clang']) if ((await run(['sh', '-c', `command -v ${tool}`], { allowFailure: true })).status !== 0) return tool;
  return existsSync('/usr/include/bpf/libbpf.h') ? undefined : 'the headers of libbpf';
}

let built: Output;
before(async () => { if (skip === false) built = await make(); });

test('the native helpers build without a warning', { skip }, () => {
  assert.equal(built.stderr, '');
  assert.doesNotMatch(built.stdout, /warning/i);
  assert.ok([loader, join(build, 'loss.bpf.o'), join(build, 'coexist-link')].every(file => existsSync(file)));
});

test('a warning would stop the build', { skip }, async () => {
  const compilations = (await make('--dry-run')).stdout.split('\n').filter(line => /(^|\s)-o\s/.test(line));
  assert.equal(compilations.length, 3);
  for (const line of compilations) assert.match(line, /-Wall -Wextra -Werror/);
});

test('wrong words are answered with the usage and status 1', { skip }, async () => {
  const object = join(build, 'loss.bpf.o');
  for (const words of [
    [], ['read'], ['read', 'x'], ['read', '-1'], ['read', '4294967296'], ['read', '5x'], ['attach'], ['attach', object, 'lo', '5'], ['attach', object, 'lo', '5', '5', '5'],
    ['attach', object, 'lo', '4294967296', '1'], ['attach', object, 'lo', '-1', '1'], ['attach', object, 'lo', '1', 'x'], ['attach', object, 'lo', '', '1'],
    ['attach', object, 'lo', '1', '18446744073709551616'], ['detach', 'lo'],
  ]) {
    const { status, stdout, stderr } = await run([loader, ...words], { allowFailure: true });
    assert.deepEqual([status, stdout, stderr], [1, '', 'usage: coexist-loss attach OBJECT DEVICE THRESHOLD SEED | coexist-loss read MAPID\n'], words.join(' '));
  }
});

test('what this machine does not have is said in a line, with status 2', { skip }, async () => {
  const failing = async (...words: string[]) => {
    const { status, stdout, stderr } = await run([loader, ...words], { allowFailure: true });
    assert.deepEqual([status, stdout], [2, ''], words.join(' '));
    return stderr;
  };
  assert.equal(await failing('attach', join(build, 'loss.bpf.o'), 'noSuchDevice', '1', '1'), 'coexist-loss: noSuchDevice: No such device\n');
  assert.match(await failing('attach', join(build, 'none.o'), 'lo', '1', '1'), /coexist-loss: .*none\.o: No such file or directory\n$/);
  assert.match(await failing('read', '4294967295'), /^coexist-loss: counters: /);
});
