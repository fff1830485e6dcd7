import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { test } from 'node:test';
import { checkClip, clipPath, generatedClip } from '../../../../harness/services/clips.ts';
import { temporaryFolder } from '../support/folder.ts';

test('a clip is a name or a file', () => {
  assert.equal(clipPath('high-motion'), generatedClip);
  assert.ok(clipPath('bigbuckbunny').endsWith('bigbuckbunny.mp4'));
  assert.equal(clipPath('/somewhere/clip.mp4'), '/somewhere/clip.mp4');
  assert.ok(isAbsolute(clipPath('clip.mp4')));
  assert.equal(clipPath('constructor'), join(process.cwd(), 'constructor'));
});

test('a file that is missing or no clip is refused with the reason', async () => {
  const folder = temporaryFolder();
  const text = join(folder, 'text.mp4');
  writeFileSync(text, 'this is not a clip\n'.repeat(100));
  for (const path of [text, join(folder, 'none.mp4'), folder]) {
    await assert.rejects(checkClip(path), { code: 'bad-clip', message: new RegExp(path.replaceAll('.', '\\.')) }, path);
  }
});
