import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Output, run } from '../../../core/system/command.ts';
import { temporaryFolder } from '../../unit/harness/support/folder.ts';
import { noReadelf, requireHardened } from '../../unit/support/hardened.ts';
import { sharedStart } from '../../unit/support/shared-start.ts';

const shaper = fileURLToPath(new URL('../../../shaper/', import.meta.url));
const folder = temporaryFolder();
const build = join(folder, 'build');
const lossLoader = join(build, 'coexist-loss');
const lossObject = join(build, 'loss.bpf.o');
const queueLogLoader = join(build, 'coexist-qlog');
const queueLogObject = join(build, 'queue-log.bpf.o');
const capture = join(build, 'coexist-capture');
/** Everything that is built: programs, and programs of the kernel. */
const programs = ['loss', 'qlog', 'marker', 'dctcp', 'probe', 'capture', 'precede', 'link'].map(name =>
  join(build, `coexist-${name}`),
);
const kernelPrograms = [lossObject, queueLogObject, ...['marker', 'dctcp'].map(name => join(build, `${name}.bpf.o`))];
const missing = await missingTool();
const skip = missing === undefined ? false : `needs ${missing}, to build the native helpers`;
const make = (...words: string[]) =>
  Promise.all(
    ['native', 'emulator/native'].map(part =>
      run(['make', '-B', '-C', join(shaper, part), `BUILD=${build}`, ...words], { timeoutMs: 120_000 }),
    ),
  );

async function missingTool(): Promise<string | undefined> {
  for (const tool of ['make', 'cc', 'clang'])
    if ((await run(['sh', '-c', `command -v ${tool}`], { allowFailure: true })).status !== 0) return tool;
  for (const [header, library] of [
    ['bpf/libbpf.h', 'libbpf'],
    ['json-c/json.h', 'json-c'],
  ] as const)
    if (!existsSync(join('/usr/include', header))) return `the headers of ${library}`;
  return undefined;
}

let built: Output[];
sharedStart(async () => {
  built = await make();
});

test('the native helpers build without a warning', { skip }, () => {
  for (const { stdout, stderr } of built) {
    assert.equal(stderr, '');
    assert.doesNotMatch(stdout, /warning/i);
  }
  for (const file of [...programs, ...kernelPrograms]) assert.ok(existsSync(file), file);
});

test('a warning would stop the build', { skip }, async () => {
  const compilations = (await make('--dry-run'))
    .flatMap(({ stdout }) => stdout.split('\n'))
    .filter(line => /(^|\s)-o\s/.test(line));
  assert.equal(compilations.length, programs.length + kernelPrograms.length);
  for (const line of compilations) assert.match(line, /-Wall -Wextra -Werror/);
});

test('every program is hardened: position-independent, read-only tables, no code on the stack, checks of copies', {
  skip: skip || noReadelf,
}, async () => {
  const bbr3 = join(folder, 'bbr3');
  await run(['make', '-C', join(shaper, 'bbr3'), `BUILD=${bbr3}`], { timeoutMs: 120_000 });
  for (const program of [...programs, join(bbr3, 'coexist-bbr3')])
    requireHardened(program, { canaries: /__stack_chk_fail/, 'checked copies': /_chk@/ });
});

test('wrong words are answered with the usage and status 1', { skip }, async () => {
  const attach = ['attach', lossObject, 'lo'];
  for (const words of [
    [],
    ['read'],
    ['read', 'x'],
    ['read', '-1'],
    ['read', '4294967296'],
    ['read', '5x'],
    ['detach', 'lo'],
    ['attach'],
    attach,
    [...attach, 'egress'],
    [...attach, 'egress', '1'],
    [...attach, 'egress', '1', 'independent'],
    [...attach, 'egress', '1', 'independent', '5', '5'],
    [...attach, 'egress', '1', 'independent', '4294967296'],
    [...attach, 'egress', '1', 'independent', '-1'],
    [...attach, 'egress', '1', 'independent', ''],
    [...attach, 'egress', 'x', 'independent', '1'],
    [...attach, 'egress', '18446744073709551616', 'independent', '1'],
    [...attach, 'outside', '1', 'independent', '1'],
    [...attach, 'egress', '1', 'dependent', '1'],
    [...attach, 'ingress', '1', 'gilbert-elliott', '1', '2', '3'],
    [...attach, 'ingress', '1', 'gilbert-elliott', '1', '2', '3', '4', '5'],
    [...attach, 'ingress', '1', 'gilbert-elliott', '1', '2', '3', '4294967296'],
  ]) {
    const { status, stdout, stderr } = await run([lossLoader, ...words], { allowFailure: true });
    assert.deepEqual([status, stdout], [1, ''], words.join(' '));
    assert.match(stderr, /^usage: coexist-loss attach .* \| coexist-loss read MAPID\n$/);
  }
  for (const words of [[], [queueLogObject], [queueLogObject, 'lo'], [queueLogObject, 'lo', 'file', 'more']]) {
    const { status, stdout, stderr } = await run([queueLogLoader, ...words], { allowFailure: true });
    assert.deepEqual([status, stdout, stderr], [1, '', 'usage: coexist-qlog OBJECT DEVICE FILE\n'], words.join(' '));
  }
  for (const more of [[], ['lo'], ['port'], ['0'], ['65536'], ['4433x'], ['4433', 'more']]) {
    const words = more[0] === 'lo' || more.length === 0 ? more : ['lo', 'file', ...more];
    const { status, stdout, stderr } = await run([capture, ...words], { allowFailure: true });
    assert.deepEqual([status, stdout, stderr], [1, '', 'usage: coexist-capture DEVICE FILE [PORT]\n'], words.join(' '));
  }
});

async function failing(...argv: string[]): Promise<string> {
  const { status, stdout, stderr } = await run(argv, { allowFailure: true });
  assert.deepEqual([status, stdout], [2, ''], argv.join(' '));
  return stderr;
}

test('what this machine does not have is said in a line, with status 2', { skip }, async () => {
  const attach = (object: string, device: string) =>
    failing(lossLoader, 'attach', object, device, 'egress', '1', 'independent', '1');
  assert.equal(await attach(lossObject, 'noSuchDevice'), 'coexist-loss: noSuchDevice: No such device\n');
  assert.match(await attach(join(build, 'none.o'), 'lo'), /coexist-loss: .*none\.o: No such file or directory\n$/);
  assert.match(await failing(lossLoader, 'read', '4294967295'), /^coexist-loss: counters: /);

  assert.equal(
    await failing(capture, 'noSuchDevice', join(folder, 'x.pcap')),
    'coexist-capture: noSuchDevice: No such device\n',
  );
  assert.match(
    await failing(capture, 'lo', join(folder, 'none/x.pcap')),
    /^coexist-capture: .*none\/x\.pcap: No such file or directory\n$/,
  );

  const file = join(folder, 'queue.log');
  assert.equal(
    await failing(queueLogLoader, queueLogObject, 'noSuchDevice', file),
    'coexist-qlog: noSuchDevice: No such device\n',
  );
  assert.ok(!existsSync(file));
  assert.match(
    await failing(queueLogLoader, queueLogObject, 'lo', join(folder, 'none/queue.log')),
    /coexist-qlog: .*none\/queue\.log: No such file or directory\n$/,
  );
  assert.match(
    await failing(queueLogLoader, join(build, 'none.o'), 'lo', file),
    /coexist-qlog: .*none\.o: No such file or directory\n$/,
  );
});
