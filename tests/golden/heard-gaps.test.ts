/**
 * Gaps in the voice that Chromium 156 passed on for playing (NetEq), in trials whose link dropped bursts of packets:
 * without in-band FEC at 16 kbit/s, and with it at 32 kbit/s. Their true begin and end, by which clip and delay are
 * known, come from the 150 ms of the clip that were heard before the first lost packet and behind the last one.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { voiceGaps } from '../../harness/analysis/derive/voice/gaps.ts';
import { heardOf } from '../../harness/analysis/derive/voice/signals.ts';
import { loadVoice, recordedVoice } from '../../server/media/voice/clip.ts';

type Piece = {
  /** Begin of the voice, delay before the gap, and what was lost, ms; times count from the begin of the piece. */
  spokenMs: number;
  delayMs: number;
  lostMs: number;
  gap: { startMs: number; endMs: number };
  pcm: string;
};
const pieces = JSON.parse(readFileSync(new URL('heard-gaps.json', import.meta.url), 'utf8')) as Piece[];
const samples = Float32Array.from(recordedVoice(loadVoice(null)));

for (const { spokenMs, delayMs, lostMs, gap, pcm } of pieces)
  test(`a gap of ${lostMs} ms that Chromium concealed is found within 30 ms of its place and length`, () => {
    const heard = heardOf([{ timeMs: 0, pcm }])!;
    const window = { startMs: 0, endMs: heard.samples.length / 16 };
    const found = voiceGaps({ samples, startMs: spokenMs, chirps: [] }, heard, window, delayMs);
    assert.equal(found.length, 1, JSON.stringify(found));
    const { startMs, endMs } = found[0]!;
    assert.ok(Math.abs(startMs - gap.startMs) <= 30, `begins at ${startMs}, in truth at ${gap.startMs}`);
    const lengthMs = endMs - startMs;
    assert.ok(
      Math.abs(lengthMs - (gap.endMs - gap.startMs)) <= 30,
      `${lengthMs} ms, in truth ${gap.endMs - gap.startMs}`,
    );
  });
