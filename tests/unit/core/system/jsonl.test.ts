import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { JsonlWriter, LineSplitter, readJsonl } from '../../../../core/system/jsonl.ts';
import { temporaryFolder } from '../../harness/support/folder.ts';

const directory = temporaryFolder();

test('what is written is read back', async () => {
  const path = join(directory, 'a.jsonl');
  const writer = new JsonlWriter(path);
  writer.write({ timeMs: 1.5, text: 'line\nbreak' });
  writer.write({ timeMs: 2 });
  await writer.close();
  assert.equal(readFileSync(path, 'utf8').split('\n').length, 3);
  assert.deepEqual(await readJsonl(path), [{ timeMs: 1.5, text: 'line\nbreak' }, { timeMs: 2 }]);
});

test('a series that was not written is empty, a broken one is named', async () => {
  assert.deepEqual(await readJsonl(join(directory, 'none.jsonl')), []);
  const path = join(directory, 'broken.jsonl');
  writeFileSync(path, '{"a":1}\n{"a":\n');
  await assert.rejects(readJsonl(path), /broken\.jsonl, line 2 is not JSON/);
});

test('a writer that cannot write says so when it is closed', async () => {
  const writer = new JsonlWriter(join(directory, 'no', 'such', 'folder.jsonl'));
  writer.write({ a: 1 });
  await assert.rejects(writer.close(), /could not be written/);
});

test('a series is read whole, however its lines and letters lie in the file', async () => {
  const path = join(directory, 'long.jsonl');
  // some records span two chunks
  const records = Array.from({ length: 40_000 }, (_, i) => ({ i, text: '\u20ac\u{1f600}\u00e9'.repeat(1 + (i % 7)) }));
  writeFileSync(
    path,
    `${records.map(record => JSON.stringify(record)).join('\n')}\n\n${JSON.stringify({ last: true })}`,
  );
  assert.deepEqual(await readJsonl(path), [...records, { last: true }]);
});

test('lines come whole out of any chunks', () => {
  const lines: string[] = [];
  const splitter = new LineSplitter(line => lines.push(line));
  for (const chunk of ['ab', 'c\nde', '\n', '\nf', 'g\n', 'rest']) splitter.push(chunk);
  assert.deepEqual(lines, ['abc', 'de', 'fg']);
});

test('a line without an end does not grow for ever', () => {
  const lines: string[] = [];
  const splitter = new LineSplitter(line => lines.push(line), 10);
  splitter.push('0123456789012345');
  splitter.push('still the same line\nnext\n');
  assert.deepEqual(lines, ['next']);
  assert.equal(splitter.dropped, 1);
});
