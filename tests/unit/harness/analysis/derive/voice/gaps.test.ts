import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../../../../../core/random.ts';
import { voiceGaps } from '../../../../../../harness/analysis/derive/voice/gaps.ts';
import { heardOf, spokenOf } from '../../../../../../harness/analysis/derive/voice/signals.ts';
import { clip, clipLines, delayed, heardLines, heardSamples, type Listening, perMs, sentLines } from './spoken.ts';

const spoken = spokenOf(clipLines, sentLines(5000))!;

function gaps(listening: Listening, lengthMs = 12_000, filler?: (i: number) => number) {
  const heard = heardOf(heardLines(heardSamples(listening, 0, lengthMs + 200, filler), 5000))!;
  return voiceGaps(spoken, heard, { startMs: 6000, endMs: 5000 + lengthMs }, 100);
}

const asText = (found: readonly { startMs: number; endMs: number }[]) =>
  found.map(({ startMs, endMs }) => `${Math.round(startMs - 5000)}+${Math.round(endMs - startMs)}`).join(' ');

/** True if there is a gap at this place and of this length, both within 30 ms. */
const has = (found: ReturnType<typeof gaps>, atMs: number, lengthMs: number) =>
  found.some(
    ({ startMs, endMs }) => Math.abs(startMs - 5000 - atMs) <= 30 && Math.abs(endMs - startMs - lengthMs) <= 30,
  );

test('a voice that is heard whole has no gap, over the end of the clip too', () => {
  assert.equal(asText(gaps(delayed(100), 45_000)), '');
});

test('injected gaps of 60 to 600 ms are found at their places and lengths, and nothing else', () => {
  const random = seededRandom(1);
  const wanted = Array.from({ length: 16 }, (_, k) => ({
    atMs: 1500 + 2000 * k + Math.round(800 * random.next()),
    lengthMs: 60 + Math.round(540 * random.next()),
  }));
  const isLost = (ms: number) => wanted.some(({ atMs, lengthMs }) => ms >= atMs && ms < atMs + lengthMs);
  const found = gaps(ms => (isLost(ms) ? null : ms - 100), 35_000);
  assert.equal(found.length, wanted.length, asText(found));
  for (const { atMs, lengthMs } of wanted)
    assert.ok(has(found, atMs, lengthMs), `${atMs}+${lengthMs}: ${asText(found)}`);
});

test('a gap that the browser fills with the last period of the voice is found, too', () => {
  const [atMs, periodMs] = [4000, 7];
  const last = (i: number) => clip[(atMs - 100 - periodMs) * perMs + (i % (periodMs * perMs))]!;
  const found = gaps(ms => (ms >= atMs && ms < atMs + 300 ? null : ms - 100), 8000, last);
  assert.ok(has(found, atMs, 300) && found.length === 1, asText(found));
});

test('voice that comes late is a gap until it comes, and is followed at its new delay', () => {
  const late = gaps(ms => (ms < 4000 ? ms - 100 : ms < 4400 ? null : ms - 500));
  assert.ok(has(late, 4000, 400) && late.length === 1, asText(late));
});

test('a jitter buffer that shortens the voice by periods makes no gap', () => {
  // every 200 ms a period of 6 ms is left out, from a delay of 400 ms down to 100 ms
  const found = gaps(ms =>
    ms < 2000 ? ms - 100 : ms < 2300 ? null : ms - Math.max(100, 400 - 6 * Math.floor((ms - 2300) / 200)),
  );
  assert.ok(has(found, 2000, 300) && found.length === 1, asText(found));
});

test('a delay that becomes shorter by an odd number of samples makes no gap in a voice of high frequencies', () => {
  // 153 samples, 9.6 ms, more than the change from block to block, in each part of the clip
  const jump = 153 / perMs;
  const found = gaps(ms => ms - (Math.floor(ms / 200) % 2 === 0 ? 110 : 110 - jump), 22_000);
  assert.equal(asText(found), '');
});

test('a listener who hears nothing any more has one gap to the end of the window', () => {
  const found = gaps(ms => (ms < 5000 ? ms - 100 : null));
  assert.ok(has(found, 5000, 7000) && found.length === 1, asText(found));
});
