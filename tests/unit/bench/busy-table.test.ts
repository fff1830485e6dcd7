import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ofEachPart, type TrialPart } from '../../../core/vocabulary/trial-parts.ts';
import { linesOfSeconds, secondsOf } from '../../bench/qoe/busy-table.ts';

const waits = (part: TrialPart, ms: number) => ofEachPart(name => (name === part ? ms : null));
const host = (timeMs: number, part: TrialPart, ms: number) => ({
  timeMs,
  threadWaitMaxMs: waits(part, ms),
  busyRatio: 2,
  wakeUpDelayMaxMs: 3,
});
/** 50 frames a second, but for a gap. */
const presentedMs = Array.from({ length: 250 }, (_, i) => i * 20).filter(ms => ms < 2500 || ms >= 2620);

test('a second has what the viewer saw in it, and what ran beside', () => {
  const readings = [900, 1900, 2900, 3900].map(timeMs => host(timeMs, 'browser', timeMs / 10));
  const seconds = secondsOf({ startMs: 1000, endMs: 3950 }, readings, presentedMs, [{ fromMs: 2950, load: '2 rt' }]);
  assert.deepEqual(
    seconds.map(({ gapMs, presentedFps, loads, threadWaitMaxMs }) => [
      gapMs,
      presentedFps,
      loads,
      threadWaitMaxMs.browser,
    ]),
    [
      [140, 44, [], 290],
      [20, 50, ['2 rt'], 390],
    ],
    'the first began before the window',
  );
});

test('seconds are put together by the longest wait, that of the harness and of a flood aside', () => {
  const seconds = (part: TrialPart, ms: number) =>
    secondsOf({ startMs: 0, endMs: 5000 }, [host(1000, part, 0), host(2000, part, ms)], presentedMs, []);
  const classOf = (part: TrialPart, ms: number) => linesOfSeconds(seconds(part, ms)).map(line => line.split(' | ')[0]);
  assert.deepEqual(classOf('mediaServer', 99), ['0 to 100']);
  assert.deepEqual(classOf('mediaServer', 100), ['100 to 150']);
  assert.deepEqual(classOf('link', 800), ['from 500']);
  assert.deepEqual([classOf('flood', 800), classOf('harness', 800)], [['0 to 100'], ['0 to 100']]);
  assert.deepEqual(linesOfSeconds([...seconds('browser', 10), ...seconds('browser', 20)]), [
    '0 to 100 | 2 | 20 [20, 20] | 50 [50, 50] | 3 [3, 3] | 2.0 [2.0, 2.0]',
  ]);
});

test('a record without such readings tells of no second', () => {
  const { threadWaitMaxMs: _, ...without } = host(2000, 'link', 1);
  assert.deepEqual(
    secondsOf({ startMs: 0, endMs: 5000 }, [without, { ...without, timeMs: 3000 }], presentedMs, []),
    [],
  );
});
