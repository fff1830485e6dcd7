import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readWav, wavFile } from '../../../../../server/media/voice/wav.ts';
import { wavFile as madeByHand } from '../../../support/wav-file.ts';

test('a file that was written is a WAV file, and is read again', () => {
  const samples = Int16Array.from({ length: 4800 }, (_, i) => Math.round(32_767 * Math.sin(i)));
  assert.deepEqual(wavFile(samples), madeByHand(samples));
  assert.deepEqual(readWav(wavFile(samples.subarray(7, 99)), 'voice.wav'), samples.slice(7, 99));
});
