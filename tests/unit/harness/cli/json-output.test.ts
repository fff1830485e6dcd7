import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { parseArguments } from '../../../../harness/cli/arguments.ts';
import { jsonOption, prepareJson, printed, putJson, requireNotTheStudy } from '../../../../harness/cli/json-output.ts';
import { temporaryFolder } from '../support/folder.ts';

test('--json prints, and writes to a file that it is given', () => {
  for (const [argv, json, words] of [
    [['hello', '--json'], printed, ['hello']],
    [['--json', 'hello'], printed, ['hello']],
    [['--json', '--set', 'a=1'], printed, []],
    [['--json', '-'], printed, []],
    [['--json', 'x.json'], 'x.json', []],
    [['hello', '--json', 'out/x.json'], 'out/x.json', ['hello']],
    [['--json=out.txt', 'hello'], 'out.txt', ['hello']],
    [['hello', '--', '--json', 'x.json'], undefined, ['hello', '--json', 'x.json']],
    [['hello'], undefined, ['hello']],
  ] as const) {
    const { values, positionals } = parseArguments([...argv], { ...jsonOption, set: { type: 'string' } }, 'usage');
    assert.deepEqual([values.json, positionals], [json, words], argv.join(' '));
  }
});

test('a file is whole, replaces an older one, and leaves nothing beside it', () => {
  const folder = temporaryFolder();
  const file = join(folder, 'a.json');
  writeFileSync(file, 'of yesterday');
  prepareJson(file);
  assert.deepEqual(readdirSync(folder), [], 'what is there afterwards is of this command');
  const out = new PassThrough();
  assert.equal(putJson(file, { a: [1] }, { indent: 1, out }), `json:    ${file}\n`);
  assert.deepEqual([JSON.parse(readFileSync(file, 'utf8')), out.read()], [{ a: [1] }, null]);
  assert.equal(putJson(printed, { a: 1 }, { out }), '');
  assert.equal(String(out.read()), '{"a":1}\n');
  assert.equal(putJson(undefined, { a: 1 }, { out }), '');
  assert.equal(out.read(), null);
});

test('a file that cannot be written is refused before anything runs', () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'there.json'));
  assert.throws(() => prepareJson(join(folder, 'there.json')), { code: 'usage', message: /is no file$/ });
  assert.throws(() => prepareJson('/dev/null'), { code: 'usage', message: /is no file$/ });
  assert.ok(existsSync('/dev/null'));
  assert.throws(() => prepareJson(join(folder, 'none', 'a.json')), {
    code: 'cannot-write',
    message: /^--json .*a\.json: no file can be written there \(ENOENT\)$/,
    hint: 'check that its folder exists and may be written',
  });
  assert.throws(() => prepareJson(''), { code: 'usage', message: '--json=: no file' });
  prepareJson(undefined);
  prepareJson(printed);
});

test('the result of a study is not written over its definition', () => {
  const study = join(temporaryFolder(), 'study.json');
  writeFileSync(study, '{}');
  const refused = (argv: string[], words: string[]) =>
    assert.throws(() => requireNotTheStudy(study, argv, words, false), {
      code: 'usage',
      message: `--json ${study} would write the result over this file`,
    });
  refused(['--json', study], []);
  refused([study, `--json=${study}`], [study]);
  requireNotTheStudy(study, [`--json=${study}`], [], false);
  requireNotTheStudy(study, ['hello', '--json', study], ['hello'], false);
  requireNotTheStudy(study, ['--resume', 'x', '--json', study], [], true);
  requireNotTheStudy(join(study, 'none.json'), ['--json', 'none.json'], [], false);
});
