/** In a child, because a mistake would hold up the test itself for ever. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readJsonl } from '../../../core/jsonl.ts';
import { openRegularHandle, readNamedFile, readRegularFile } from '../../../core/regular-file.ts';
import { temporaryFolder } from '../harness/support/folder.ts';

const folder = temporaryFolder();
const root = new URL('../../../', import.meta.url);
const pipe = join(folder, 'pipe');
assert.equal(spawnSync('mkfifo', [pipe]).status, 0);

/** The code and message of what the last call of a module throws; the child is killed where it waits. */
function thrownBy(imports: string, call: string): string {
  const { status, stdout, stderr, error } = spawnSync(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      '--max-old-space-size=256',
      '--input-type=module-typescript',
      '-e',
      `import ${imports};
      try { await ${call}; } catch (error) { process.stdout.write(\`\${error.code}: \${error.message}\`); }
      process.exit();`,
    ],
    { encoding: 'utf8', timeout: 20_000, killSignal: 'SIGKILL' },
  );
  assert.deepEqual([status, error], [0, undefined], stderr);
  return stdout;
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
  const from = `{ readRegularFile } from ${module('core/regular-file.ts')}`;
  assert.match(thrownBy(from, `readRegularFile(${quoted(pipe)}, 9)`), /^bad-run-folder: .*pipe is not a file but /);
  for (const path of [device, folder]) {
    const refused = { code: 'bad-run-folder', message: / is not a file but a folder, a pipe or a device$/ };
    assert.throws(() => readRegularFile(path, 2 ** 20), refused);
    await assert.rejects(openRegularHandle(path), refused);
  }
});

test('a pipe as a trace, a clip, a trial or a series is refused at once', () => {
  const trace = `{ readTrace } from ${module('shaper/backend/trace.ts')}`;
  assert.match(thrownBy(trace, `readTrace(${quoted(pipe)})`), /^bad-definition: link\.trace: .* is not a file but /);
  const hashes = `{ hashesOf } from ${module('harness/record/software.ts')}`;
  assert.match(thrownBy(hashes, `hashesOf([${quoted(pipe)}])`), /^bad-definition: .*pipe is not a file but /);
  const json = `{ readJson } from ${module('harness/record/json-file.ts')}`;
  assert.match(thrownBy(json, `readJson(${quoted(pipe)})`), /^bad-run-folder: .*pipe is not a file but /);
  const series = `{ readJsonl } from ${module('core/jsonl.ts')}`;
  assert.match(thrownBy(series, `readJsonl(${quoted(pipe)})`), /^bad-run-folder: .*pipe is not a file but /);
  const table = `{ readPacketTable } from ${module('harness/record/packet-table.ts')}`;
  assert.match(thrownBy(table, `readPacketTable(${quoted(pipe)})`), /^bad-run-folder: .*pipe is not a file but /);
});

test('a definition, a service or a list of hosts that is a pipe, or too large, is refused at once', () => {
  const named = join(folder, 'named.json');
  assert.equal(spawnSync('mkfifo', [named]).status, 0);
  const study = `{ loadStudy } from ${module('harness/experiment/load.ts')}`;
  assert.match(thrownBy(study, `loadStudy(${quoted(named)})`), /^bad-definition: .*named\.json is not a file but /);
  const hosts = `{ readHostsFile } from ${module('shaper/topology/ssh/hosts-file.ts')}`;
  assert.match(thrownBy(hosts, `readHostsFile(${quoted(named)})`), /^bad-definition: .*named\.json is not a file but /);
  const large = join(folder, 'large.json');
  writeFileSync(large, '');
  truncateSync(large, 2 ** 24); // a hole, which takes no room
  assert.throws(() => readNamedFile(large), { code: 'bad-run-folder', message: /large\.json has 16777216 bytes/ });
});

test("pipes in a run folder are refused: its plan, its trials' files, and who writes to it", () => {
  const run = join(folder, 'run');
  mkdirSync(join(run, 'trials', '0001-all'), { recursive: true });
  for (const name of ['plan.json', '.owner', 'trials/0001-all/trial.json'])
    assert.equal(spawnSync('mkfifo', [join(run, name)]).status, 0);
  const from = `{ RunFolder } from ${module('harness/record/run-folder.ts')}`;
  const opened = `RunFolder.open(${quoted(run)})`;
  assert.match(thrownBy(from, `${opened}.planFile()`), /^bad-run-folder: .*plan\.json is not a file but /);
  assert.match(thrownBy(from, `${opened}.trialFile('0001-all')`), /^bad-run-folder: .*trial\.json is not a file but /);
  assert.match(thrownBy(from, `RunFolder.resume(${quoted(run)})`), /^bad-run-folder: .*\.owner is not a file but /);
});

test('a series without lines does not fill the memory', async () => {
  const path = join(folder, 'zeros.jsonl');
  writeFileSync(path, '');
  truncateSync(path, 2 ** 28); // a hole, which takes no room
  await assert.rejects(readJsonl(path), { code: 'bad-run-folder', message: /zeros\.jsonl, line 1 is no record$/ });
});
