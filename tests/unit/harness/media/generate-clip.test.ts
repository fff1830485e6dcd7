import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { generateClip } from '../../../../harness/media/generate-clip.ts';
import { temporaryFolder } from '../support/folder.ts';
import '../../server/support/frames.ts';

const directory = temporaryFolder();

test('the same bytes every time, and nothing beside them', async () => {
  const [first, second] = ['new/folder/a.mp4', 'b.mp4'].map(name => join(directory, name));
  await generateClip(first!, 10);
  await generateClip(second!, 10);
  assert.ok(readFileSync(first!).equals(readFileSync(second!)));
  assert.deepEqual(readdirSync(join(directory, 'new', 'folder')), ['a.mp4']);
});

test('where it cannot be written, the place is named', async () => {
  const file = join(directory, 'file');
  writeFileSync(file, '');
  await assert.rejects(generateClip(join(file, 'clip.mp4'), 2), { code: 'cannot-write', message: new RegExp(file) });
});

test('what another process writes beside the same file is left alone', async () => {
  const file = join(directory, 'c.mp4');
  writeFileSync(`${file}.partial.mp4`, 'of another');
  await generateClip(file, 2);
  assert.equal(readFileSync(`${file}.partial.mp4`, 'utf8'), 'of another');
});
