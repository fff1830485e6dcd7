/** The codec alone beside the score: the voices of a run, and their scores by the second program. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { codecVoices } from '../../../../harness/cli/codec-voices.ts';
import { clipLines, heardLines, perMs, sentLines } from '../analysis/derive/voice/spoken.ts';
import { linesOf, endMs as runEndMs, startMs as runStartMs, writeRun } from '../analysis/verify/hand-made.ts';
import { recomputed, skip } from '../analysis/verify/verifier.ts';
import { temporaryFolder } from '../support/folder.ts';
import { planOf } from '../support/plan.ts';
import { writeRecord } from '../support/record.ts';
import { commitTrial, createFolder, fileOf } from '../support/run-folder.ts';

const folder = temporaryFolder();
const voice = { voice: 'synthesised', bitrate: 32_000, frame: 20, fec: true, dtx: false, red: 1 };

/** Makes a run of trials with these facts and this voice. */
async function voicesOf(name: string, trials: readonly { facts: object | null; clip: readonly object[] }[]) {
  const plan = planOf({ run: { repeats: trials.length } });
  const run = createFolder(folder, name, plan);
  for (const [i, { facts, clip }] of trials.entries())
    commitTrial(run, fileOf(plan, i + 1, { facts: facts as Record<string, unknown> | null }), directory => {
      writeRecord(directory, { 'voice.clip': clip });
    });
  return codecVoices(run.path);
}

test('voices of one clip and one setting of the codec are encoded once', async () => {
  const whole = { facts: { voice }, clip: clipLines };
  const other = { facts: { voice: { ...voice, bitrate: 12_000, fec: false } }, clip: clipLines };
  const found = await voicesOf('settings', [whole, other, whole, { facts: null, clip: [] }]);
  assert.deepEqual(
    found.map(({ trials, settings, reason }) => [trials.length, settings, reason]),
    [
      [2, 'Opus at 32 kbit/s, frames of 20 ms, in-band FEC', null],
      [1, 'Opus at 12 kbit/s, frames of 20 ms', null],
    ],
  );
  assert.equal(found[0]!.decoded!.length, found[0]!.spoken!.length);
  assert.notEqual(found[0]!.decoded, found[1]!.decoded);
});

test('a voice that is not known has none, and the reason is said', async () => {
  const damaged = clipLines.map((line, i) => (i === 3 ? clipLines[4]! : line));
  const found = await voicesOf('unknown', [
    { facts: { voice }, clip: damaged },
    { facts: { voice }, clip: [] },
    { facts: { voice: { ...voice, voice: '/none/such.wav' } }, clip: clipLines },
  ]);
  assert.deepEqual(
    found.map(({ reason, decoded }) => [reason, decoded]),
    [
      ['the voice synthesised is no longer what was sent', null],
      ['a browser encoded it', null],
      ['the voice /none/such.wav does not exist', null],
    ],
  );
});

describe('the score of the codec alone', { skip }, () => {
  const trial = '0001-base';

  test('a voice that only the codec has changed has the score of the codec alone within 0.1', async () => {
    const [own] = await voicesOf('scored', [{ facts: { voice: { ...voice, bitrate: 16_000 } }, clip: clipLines }]);
    const bytes = Buffer.from(own!.decoded!, 'base64');
    const decoded = Int16Array.from({ length: bytes.length / 2 }, (_, i) => bytes.readInt16LE(2 * i));
    const path = join(folder, 'heard');
    writeRun(path);
    // it is heard 100 ms after it was spoken, which began 2 s before the window
    const samples = Int16Array.from(
      { length: (runEndMs - runStartMs + 2000) * perMs },
      (_, i) => decoded[(i + 900 * perMs) % decoded.length]!,
    );
    const series = {
      'voice.clip': clipLines,
      'voice.sent': sentLines(runStartMs - 2000 - 7),
      'voice.heard': heardLines(samples, runStartMs - 1000),
    };
    const place = join(path, 'trials', trial, 'applications/call');
    mkdirSync(place, { recursive: true });
    for (const [file, lines] of Object.entries(series))
      writeFileSync(join(place, `${file}.jsonl`), linesOf(lines as Parameters<typeof linesOf>[0]));
    const [codec, scores] = [join(folder, 'codec.json'), join(folder, 'scores.json')];
    writeFileSync(codec, JSON.stringify([{ ...own!, trials: [trial] }]));
    const { stdout, stderr } = await recomputed(path, ['--voice', `--codec=${codec}`, `--scores=${scores}`]);
    assert.equal(stderr, '');
    assert.match(
      stdout,
      /0001-base: \d\.\d\d \(.*\); codec alone \d\.\d\d \(Opus at 16 kbit\/s, frames of 20 ms, .*\)\n/,
    );
    assert.match(stdout, /\nbase: median of the trials \d\.\d\d, n = 1; codec alone \d\.\d\d\n/);
    const told = JSON.parse(readFileSync(scores, 'utf8')) as { voice: { score: number; codecAlone: number }[] };
    const [{ score, codecAlone }] = told.voice as [{ score: number; codecAlone: number }];
    assert.ok(codecAlone > 2 && codecAlone < 4.99, `${codecAlone}`);
    assert.ok(Math.abs(score - codecAlone) <= 0.1, `${score} and ${codecAlone}`);
  });
});
