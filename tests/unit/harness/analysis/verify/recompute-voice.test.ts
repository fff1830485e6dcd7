/** Tests what the second implementation makes of a voice, on samples made by hand. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { clipLines, heardLines, heardSamples, sentLines } from '../derive/voice/spoken.ts';
import { endMs, linesOf, startMs, writeRun } from './hand-made.ts';
import { skip, verified } from './verifier.ts';

/** Time at which the voice began by the media server's clock, which is 7 ms behind. */
const spokenMs = startMs - 2000 - 7;
/** A delay of 100 ms, a gap of 400 ms, and from then on a delay of 300 ms. */
const listening = (ms: number) => (ms < 5500 ? ms - 100 : ms < 5900 ? null : ms - 300);
const series = {
  'voice.clip': clipLines,
  'voice.sent': sentLines(spokenMs),
  'voice.heard': heardLines(heardSamples(listening, 1000, endMs - startMs + 2000), startMs - 1000),
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

  async function differing(name: string, stated: Record<string, number>): Promise<string[]> {
    const path = join(place, name);
    writeRun(path, { stated });
    for (const trial of readdirSync(join(path, 'trials')))
      for (const [file, lines] of Object.entries(series))
        writeFileSync(join(path, 'trials', trial, 'applications', 'call', `${file}.jsonl`), linesOf([...lines]));
    const own = (one: string) => Object.keys(truth).some(id => one === `${id} of 0001-base`);
    return (await verified(path)).differing.filter(own).toSorted();
  }

  test('values told by hand are found', async () => {
    assert.deepEqual(await differing('true', truth), []);
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
