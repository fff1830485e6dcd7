import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { plugin } from '../../../../../harness/services/live-clip/index.ts';
import { paramsSchema } from '../../../../../harness/services/live-clip/params.ts';
import { wavFile } from '../../../support/wav-file.ts';
import { temporaryFolder } from '../../support/folder.ts';

const notesAt = async (frameRate: number) => {
  const lines = await plugin.inspect!(paramsSchema.parse({ clip: 'bigbuckbunny', frameRate }));
  return lines.filter(line => line.startsWith('note:'));
};

test('a dry run notes that the browser shows no more frames than its display has refreshes', async () => {
  assert.deepEqual(await notesAt(60), []);
  assert.deepEqual(await notesAt(120), [
    'note: 120 frames a second are sent, and Chromium presents 60: its display has 60 Hz unless a faster monitor is ' +
      'attached',
  ]);
});

test('a dry run names the voice of a file, and refuses what is none', async () => {
  const path = join(temporaryFolder(), 'speech.wav');
  const lines = async (audio: object) =>
    (await plugin.inspect!(paramsSchema.parse({ clip: 'bigbuckbunny', audio }))).filter(line =>
      line.startsWith('voice'),
    );
  writeFileSync(path, 'RIFF');
  await assert.rejects(lines({ voice: path }), { code: 'bad-clip', message: `the voice ${path} is not a WAV file` });
  writeFileSync(path, wavFile(Int16Array.from({ length: 5 * 48_000 }, (_, i) => 8000 * Math.sin(i / 20))));
  assert.deepEqual(await lines({ voice: path }), ['voice speech.wav: 5.0 s']);
  assert.deepEqual(await lines({}), []);
});
