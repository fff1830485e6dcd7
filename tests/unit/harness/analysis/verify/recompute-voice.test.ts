/** Tests what the second implementation makes of a voice, on samples made by hand. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { capturedSamples, clipLines, heardLines, heardSamples, sentLines } from '../derive/voice/spoken.ts';
import { endMs, linesOf, startMs, writeRun } from './hand-made.ts';
import { writePairs } from './hand-made-pairs.ts';
import { recomputed, skip, verified } from './verifier.ts';

/** Time at which the voice began by the media server's clock, which is 7 ms behind. */
const spokenMs = startMs - 2000 - 7;
/** A delay of 100 ms, a gap of 400 ms, and from then on a delay of 300 ms. */
const listening = (ms: number) => (ms < 5500 ? ms - 100 : ms < 5900 ? null : ms - 300);
const series = {
  'voice.clip': clipLines,
  'voice.sent': sentLines(spokenMs),
  'voice.heard': heardLines(heardSamples(listening, 1000, endMs - startMs + 2000), startMs - 1000),
};
/** The same voice, as a browser captured it from its place 1 s on. */
const captured = {
  'voice.spoken': heardLines(capturedSamples(1000, endMs - startMs + 3000), startMs - 1000),
  'voice.heard': series['voice.heard'],
};
const truth = {
  'voice-interruptions': 1,
  'voice-interruption-rate': 6,
  'voice-interruption-time': 0.4,
  'voice-gap-share': 0.04,
  'mouth-to-ear-median': 300,
  'mouth-to-ear-p95': 300,
};

describe('a voice recomputed by Python', { skip }, () => {
  const place = mkdtempSync(join(tmpdir(), 'coexist-verify-'));
  after(() => rmSync(place, { recursive: true, force: true }));

  async function differing(
    name: string,
    stated: Record<string, number>,
    told: Partial<typeof series> & Partial<typeof captured> = series,
  ): Promise<string[]> {
    const path = join(place, name);
    writeRun(path, { stated });
    for (const trial of readdirSync(join(path, 'trials')))
      for (const [file, lines] of Object.entries(told))
        writeFileSync(join(path, 'trials', trial, 'applications', 'call', `${file}.jsonl`), linesOf([...lines]));
    const own = (one: string) => Object.keys(truth).some(id => one === `${id} of 0001-base`);
    return (await verified(path)).differing.filter(own).toSorted();
  }

  test('values told by hand are found', async () => {
    assert.deepEqual(await differing('true', truth), []);
  });

  test('values of a voice that a browser captured are found', async () => {
    // a sample was captured at its own time, so without the 7 ms of the media server's clock
    assert.deepEqual(await differing('captured', truth, captured), []);
    assert.deepEqual(await differing('miscaptured', { ...truth, 'mouth-to-ear-median': 299 }, captured), [
      'mouth-to-ear-median of 0001-base',
    ]);
  });

  /** Writes a run in whose first trial this is heard; the others have no voice, since a score takes seconds. */
  function spokenRun(name: string, heard: (ms: number) => number | null): string {
    const path = join(place, name);
    writeRun(path, {});
    const lines = heardLines(heardSamples(heard, 1000, endMs - startMs + 2000), startMs - 1000);
    for (const [file, of] of Object.entries({ ...series, 'voice.heard': lines }))
      writeFileSync(join(path, 'trials', '0001-base', 'applications', 'call', `${file}.jsonl`), linesOf([...of]));
    return path;
  }

  async function scored(path: string) {
    const { stdout, stderr } = await recomputed(path, ['--voice', '--json']);
    assert.equal(stderr, '');
    const { voice, scoredBy } = JSON.parse(stdout) as {
      voice: { trial: string; condition: string; score: number; lowest: number; pieces: number }[];
      scoredBy: string;
    };
    assert.equal(voice.length, 1);
    return { ...voice[0]!, scoredBy };
  }

  test('a voice has a score, which falls with what is not heard', async () => {
    const whole = await scored(spokenRun('whole', ms => ms - 100));
    assert.deepEqual([whole.trial, whole.condition, whole.pieces], ['0001-base', 'base', 1]);
    assert.match(whole.scoredBy, /^ViSQOL by visqol-python 3\.8\.0, speech mode/);
    assert.ok(whole.score > 4 && whole.score <= 5 && whole.lowest === whole.score, JSON.stringify(whole));
    const broken = await scored(spokenRun('broken', ms => (ms % 2000 < 700 ? null : ms - 100)));
    assert.ok(broken.score < whole.score - 0.5, JSON.stringify(broken));
    assert.equal((await scored(spokenRun('mute', () => null))).score, 1);
  });

  test('the scores are printed with the median of each condition, and the library', async () => {
    const { stdout } = await recomputed(
      spokenRun('printed', () => null),
      ['--voice'],
    );
    assert.match(
      stdout,
      /Speech quality \(MOS-LQO from 1 to 5\):\n0001-base: 1\.00 \(lowest of 1 piece of 8 s: 1\.00\)\n/,
    );
    assert.match(stdout, /\nbase: median of the trials 1\.00, n = 1\n/);
    assert.match(stdout, /ViSQOL by visqol-python 3\.8\.0, speech mode, exponential mapping\n$/);
  });

  test('pairs have no scores, which is said in one line', async () => {
    const path = join(place, 'pairs');
    writePairs(path);
    const { status, stdout, stderr } = await recomputed(path, ['--voice']);
    assert.deepEqual([status, stdout], [1, '']);
    assert.equal(stderr, 'the speech quality is scored in experiments only\n  -> leave out --voice\n');
  });

  test('every false value is found', async () => {
    const wrong = {
      'voice-interruptions': 2,
      'voice-interruption-rate': 5,
      'voice-interruption-time': 0.5,
      'voice-gap-share': 0.05,
      'mouth-to-ear-median': 299,
      'mouth-to-ear-p95': 301,
    };
    assert.deepEqual(
      await differing('false', wrong),
      Object.keys(wrong)
        .map(id => `${id} of 0001-base`)
        .toSorted(),
    );
  });
});
