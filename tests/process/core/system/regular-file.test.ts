/** Tests in a child process, because a mistake would block the test for ever. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readJsonl } from '../../../../core/system/jsonl.ts';
import { openRegularHandle, readNamedFile, readRegularFile } from '../../../../core/system/regular-file.ts';
import { temporaryFolder } from '../../../unit/harness/support/folder.ts';

const folder = temporaryFolder();
const root = new URL('../../../../', import.meta.url);
const pipe = join(folder, 'pipe');
assert.equal(spawnSync('mkfifo', [pipe]).status, 0);

/**
 * Returns code and message of the error that each call throws. The calls run one after the other in a child, which is
 * killed if a call blocks.
 */
function thrownBy(...calls: readonly (readonly [name: string, path: string, call: string])[]): string[] {
  const { status, stdout, stderr, error } = spawnSync(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      '--max-old-space-size=256',
      '--input-type=module-typescript',
      '-e',
      [
        ...calls.map(
          ([name, path, call]) =>
            `try { const { ${name} } = await import(${module(path)}); await ${call}; console.log('nothing'); }
            catch (error) { console.log(\`\${error.code}: \${error.message}\`); }`,
        ),
        'process.exit();',
      ].join('\n'),
    ],
    { encoding: 'utf8', timeout: 60_000, killSignal: 'SIGKILL' },
  );
  assert.deepEqual([status, error], [0, undefined], stdout + stderr);
  return stdout.trimEnd().split('\n');
}

/** Asserts that each call throws at once with a matching error. */
function refused(...cases: readonly (readonly [name: string, path: string, call: string, told: RegExp])[]): void {
  const thrown = thrownBy(...cases.map(([name, path, call]) => [name, path, call] as const));
  for (const [k, [, , call, told]] of cases.entries()) assert.match(thrown[k]!, told, call);
}

const module = (path: string) => JSON.stringify(new URL(path, root).href);
const quoted = JSON.stringify;

test('a text is read whole, as long as it is not too long', () => {
  const path = join(folder, 'text');
  writeFileSync(path, 'zw\u00f6lf\n');
  assert.equal(readRegularFile(path, 7), 'zw\u00f6lf\n');
  assert.throws(() => readRegularFile(path, 6), {
    code: 'bad-run-folder',
    message: /text has 7 bytes, and at most 6/,
    hint: 'put a file of at most 6 bytes in its place',
  });
  assert.throws(() => readRegularFile(join(folder, 'none'), 6), { code: 'ENOENT' });
  symlinkSync(path, join(folder, 'link'));
  assert.equal(readRegularFile(join(folder, 'link'), 7), 'zw\u00f6lf\n');
});

test('neither a pipe nor a device nor a folder is opened as a file', async () => {
  const device = join(folder, 'device');
  symlinkSync('/dev/zero', device);
  const told = /^bad-run-folder: .*pipe is not a file but /;
  refused(['readRegularFile', 'core/system/regular-file.ts', `readRegularFile(${quoted(pipe)}, 9)`, told]);
  for (const path of [device, folder]) {
    const error = { code: 'bad-run-folder', message: / is not a file but a folder, a pipe or a device$/ };
    assert.throws(() => readRegularFile(path, 2 ** 20), error);
    await assert.rejects(openRegularHandle(path), error);
  }
});

test('a pipe as a trace, a clip, a trial or a series is refused at once', () => {
  const [definition, folderOfRun] = ['bad-definition', 'bad-run-folder'].map(
    code => new RegExp(`^${code}: .*pipe is not a file but `),
  );
  const path = quoted(pipe);
  refused(
    ['readTrace', 'shaper/traces/load.ts', `readTrace(${path})`, /^bad-definition: link\.trace: .* is not a file but /],
    ['hashesOf', 'harness/record/software.ts', `hashesOf([${path}])`, definition!],
    ['readJson', 'harness/record/json-file.ts', `readJson(${path})`, folderOfRun!],
    ['readJsonl', 'core/system/jsonl.ts', `readJsonl(${path})`, folderOfRun!],
    ['readPacketTable', 'harness/record/packet-table.ts', `readPacketTable(${path})`, folderOfRun!],
  );
});

test('a definition, a service or a list of hosts that is a pipe, or too large, is refused at once', () => {
  const named = join(folder, 'named.json');
  assert.equal(spawnSync('mkfifo', [named]).status, 0);
  const told = /^bad-definition: .*named\.json is not a file but /;
  refused(
    ['loadStudy', 'harness/definition/load.ts', `loadStudy(${quoted(named)})`, told],
    ['readHostsFile', 'shaper/topology/ssh/hosts-file.ts', `readHostsFile(${quoted(named)})`, told],
  );
  const large = join(folder, 'large.json');
  writeFileSync(large, '');
  truncateSync(large, 2 ** 24); // a sparse file, which takes no disk space
  assert.throws(() => readNamedFile(large), { code: 'bad-run-folder', message: /large\.json has 16777216 bytes/ });
});

test("pipes in a run folder are refused: its plan, its trials' files, and who writes to it", () => {
  const run = join(folder, 'run');
  mkdirSync(join(run, 'trials', '0001-all'), { recursive: true });
  for (const name of ['plan.json', '.owner', 'trials/0001-all/trial.json'])
    assert.equal(spawnSync('mkfifo', [join(run, name)]).status, 0);
  const from = ['RunFolder', 'harness/record/run-folder.ts'] as const;
  const opened = `RunFolder.open(${quoted(run)})`;
  refused(
    [...from, `${opened}.planFile()`, /^bad-run-folder: .*plan\.json is not a file but /],
    [...from, `${opened}.trialFile('0001-all')`, /^bad-run-folder: .*trial\.json is not a file but /],
    [...from, `RunFolder.resume(${quoted(run)})`, /^bad-run-folder: .*\.owner is not a file but /],
  );
});

test('a series without lines does not fill the memory', async () => {
  const path = join(folder, 'zeros.jsonl');
  writeFileSync(path, '');
  truncateSync(path, 2 ** 28); // a sparse file, which takes no disk space
  await assert.rejects(readJsonl(path), { code: 'bad-run-folder', message: /zeros\.jsonl, line 1 is no record$/ });
});
