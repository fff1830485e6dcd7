import assert from 'node:assert/strict';
import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { chirpPlaces, chirpWave } from '../../../../../core/vocabulary/voice.ts';
import { loadVoice, recordedVoice } from '../../../../../server/media/voice/clip.ts';
import { temporaryFolder } from '../../../harness/support/folder.ts';
import { type WavFacts, wavFile } from '../../../support/wav-file.ts';

const folder = temporaryFolder();
const fullScale = 32_767;
const synthesised = loadVoice(null);

function written(name: string, content: Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

/** A tone of a length, s. */
const tone = (seconds: number, peak = 8000) =>
  Int16Array.from({ length: seconds * 48_000 }, (_, i) => Math.round(peak * Math.sin(i / 20)));

const refused = (content: Buffer, message: RegExp) => {
  const path = written('refused.wav', content);
  assert.throws(
    () => loadVoice(path),
    (error: Error & { code: string }) => {
      assert.equal(error.code, 'bad-clip');
      assert.ok(error.message.startsWith(`the voice ${path} `), error.message);
      assert.match(error.message, message);
      return true;
    },
  );
};

/** Root mean square of samples, 1 being full scale. */
const level = (samples: Int16Array) =>
  Math.sqrt(samples.reduce((sum, sample) => sum + (sample / fullScale) ** 2, 0) / samples.length);

test('the synthesised voice is always the same, of 20 s, and never pauses outside the chirps', () => {
  assert.equal(synthesised.length, 20 * 48_000);
  assert.deepEqual(loadVoice(null), synthesised);
  const places = chirpPlaces(20_000);
  for (let ms = 0; ms < 20_000; ms += 20) {
    if (places.some(({ clipMs }) => ms + 20 > clipMs - 10 && ms < clipMs + 50)) continue;
    assert.ok(level(synthesised.subarray(ms * 48, (ms + 20) * 48)) > 0.003, `${ms} ms`);
  }
  assert.ok(synthesised.every(sample => Math.abs(sample) < fullScale));
});

test('chirps up and down alternate every 2 s, with silence around them', () => {
  const places = chirpPlaces(20_000);
  assert.deepEqual(
    places.map(({ clipMs, sweep }) => [clipMs, sweep]),
    Array.from({ length: 10 }, (_, k) => [1000 + 2000 * k, k % 2 === 0 ? 'up' : 'down']),
  );
  for (const { clipMs, sweep } of places) {
    const wanted = Int16Array.from(chirpWave(sweep, 48_000), sample => Math.round(sample * fullScale));
    assert.deepEqual(synthesised.subarray(clipMs * 48, (clipMs + 40) * 48), wanted);
    assert.equal(level(synthesised.subarray((clipMs - 10) * 48, clipMs * 48)), 0);
    assert.equal(level(synthesised.subarray((clipMs + 40) * 48, (clipMs + 50) * 48)), 0);
  }
});

test('a WAV file of 48 kHz, one channel and 16 bits is taken, whatever chunks precede its samples', () => {
  const samples = tone(5);
  const file = wavFile(samples);
  const list = Buffer.concat([Buffer.from('LIST\x03\0\0\0', 'latin1'), Buffer.alloc(4)]);
  for (const content of [file, Buffer.concat([file.subarray(0, 36), list, file.subarray(36)])]) {
    const loaded = loadVoice(written('voice.wav', content));
    assert.equal(loaded.length, samples.length);
    assert.deepEqual(loaded.subarray(0, 40_000), samples.subarray(0, 40_000));
    assert.notDeepEqual(loaded.subarray(48_000, 49_000), samples.subarray(48_000, 49_000), 'a chirp is there');
  }
});

test('another file is refused in one line that names it and what is wrong', () => {
  const of = (facts: WavFacts) => wavFile(tone(5), facts);
  refused(Buffer.from('ID3'), /is not a WAV file/);
  refused(of({ channels: 2 }), /has 2 channels; it must have one/);
  refused(of({ rateHz: 44_100 }), /has 44100 samples per second; it must have 48000/);
  refused(of({ bits: 24 }), /has samples of another kind than 16 bit PCM/);
  refused(of({ format: 3 }), /has samples of another kind than 16 bit PCM/);
  refused(of({}).subarray(0, 36), /has no samples/);
  refused(of({}).subarray(0, 12), /has no samples/);
  refused(wavFile(tone(3)), /has 3\.0 s; it must have 4 to 300 s/);
  refused(wavFile(tone(5, 10)), /is silent/);
});

test('a file of 3 hours is refused by its format or its length, a missing one by its name', () => {
  const long = (name: string, facts: WavFacts = {}) => {
    const path = written(name, wavFile(tone(5), facts));
    truncateSync(path, 44 + 3 * 3600 * 96_000); // a sparse file
    return path;
  };
  for (const [path, fault] of [
    [long('long.wav'), 'has about 10800 s; it must have 4 to 300 s'],
    [long('long-stereo.wav', { channels: 2 }), 'has 2 channels; it must have one'],
    ['/nowhere.wav', 'does not exist'],
  ] as const)
    assert.throws(() => loadVoice(path), { code: 'bad-clip', message: `the voice ${path} ${fault}` });
});

test('the recorded voice has 16 kHz, tones below 7 kHz as they were and none above 8 kHz', () => {
  const at = (hz: number) =>
    recordedVoice(
      Int16Array.from({ length: 48_000 }, (_, i) => Math.round(8000 * Math.sin((2 * Math.PI * hz * i) / 48_000))),
    );
  const low = at(1000);
  assert.equal(low.length, 16_000);
  for (const [i, sample] of low.entries())
    assert.ok(Math.abs(sample - 8000 * Math.sin((2 * Math.PI * 1000 * i) / 16_000)) < 40, `sample ${i}: ${sample}`);
  assert.ok(level(at(9000)) < 0.003, String(level(at(9000))));
});
