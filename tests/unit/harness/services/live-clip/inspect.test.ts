import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plugin } from '../../../../../harness/services/live-clip/index.ts';
import { paramsSchema } from '../../../../../harness/services/live-clip/params.ts';

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
