/**
 * The native programs as the trials use them, built with the address and undefined-behaviour sanitizers: loaders, queue
 * log, capture, probe and link do their work in real namespaces, and no sanitizer has anything to report.
 *
 * A copy of the tree has such programs in place of the usual ones. The C tests of the link's core and of BBRv3 are in
 * npm test, with sanitizers, too.
 */
import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { run } from '../../core/system/command.ts';
import { queueLogLoader } from '../../shaper/queue-log/recorder.ts';
import { cannotRun } from '../e2e/support/run-command.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'coexist-sanitized-'));
const tree = join(folder, 'tree');
const reports = join(folder, 'reports');
after(() => rmSync(folder, { recursive: true, force: true }));

const skip = cannotRun ?? (existsSync(queueLogLoader) ? false : 'needs what builds the native programs: npm run setup');
const left = new Set(['node_modules', '.git', '.cache', 'runs', 'build', 'target']);
const flags = '-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer';

/**
 * Tests that start each of the programs, and judge no time that a slower program would miss. That of the probe builds
 * it anew, with the flags of the environment.
 */
const uses = [
  ...['queue-log', 'bbr3', 'shaper', 'dumbbell', 'link'].map(name => `tests/e2e/${name}.test.ts`),
  'tests/process/shaper/probe.test.ts',
];
const programs = [
  ...['loss', 'qlog', 'probe', 'capture'].map(name => `native/build/coexist-${name}`),
  'emulator/native/build/coexist-link',
  'bbr3/build/coexist-bbr3',
];

test('loaders, queue log, capture, probe and link, under sanitizers', { skip, timeout: 900_000 }, async context => {
  cpSync(root, tree, { recursive: true, filter: path => !left.has(basename(path)) });
  for (const name of ['node_modules', '.cache'])
    if (existsSync(join(root, name))) symlinkSync(join(root, name), join(tree, name));
  for (const part of ['shaper/native', 'shaper/emulator/native', 'shaper/bbr3'])
    await run(['make', '--silent', '-C', join(tree, part), `CFLAGS=${flags}`], { timeoutMs: 240_000 });
  for (const program of programs)
    assert.ok(readFileSync(join(tree, 'shaper', program)).includes('__asan_report'), `${program} has no sanitizer`);
  const options = `log_path=${join(reports, 'report')}`;
  cpSync(join(tree, 'package.json'), join(reports, 'package.json')); // makes the folder
  const { status, stdout, stderr } = await run(
    [process.execPath, '--disable-warning=ExperimentalWarning', '--test', '--test-concurrency=1', ...uses],
    {
      allowFailure: true,
      timeoutMs: 800_000,
      cwd: tree,
      env: {
        ...process.env,
        CFLAGS: flags,
        ASAN_OPTIONS: options,
        UBSAN_OPTIONS: `${options}:print_stacktrace=1`,
        NODE_TEST_CONTEXT: undefined,
      },
    },
  );
  const told = readdirSync(reports).filter(name => name.startsWith('report'));
  assert.deepEqual(told, [], told.map(name => readFileSync(join(reports, name), 'utf8')).join('\n'));
  assert.equal(status, 0, `${stdout.slice(-4000)}${stderr.slice(-1000)}`);
  context.diagnostic(/^ℹ pass \d+$/m.exec(stdout)?.[0] ?? '');
});
