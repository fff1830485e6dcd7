import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkTrace, readTrace } from '../../../../shaper/backend/trace.ts';

test('a trace: its opportunities, its period and its mean rate', () => {
  // 3 x 1500 bytes in 3 ms: 12 Mbit/s
  assert.deepEqual(checkTrace('1\n2\n3\n', 'a'), { opportunities: 3, periodMs: 3, meanRateBps: 12e6 });
  assert.deepEqual(checkTrace('0\n0\r\n10', 'a'), { opportunities: 3, periodMs: 10, meanRateBps: 3.6e6 });
});

test('what is no trace is refused with the line at fault', () => {
  const refused = (text: string, message: RegExp) =>
    assert.throws(() => checkTrace(text, 'file'), { code: 'bad-definition', message });
  refused('', /file is empty$/);
  refused('\n\n', /file is empty$/);
  refused('1\nx\n', /file, line 2: "x" is not a time/);
  refused('1\n\n2\n', /file, line 2: "" is not a time/);
  refused('1\n-2\n', /line 2: "-2" is not/);
  refused('1.5\n', /line 1: "1.5" is not/);
  refused('5\n4\n', /line 2: 4 ms comes after 5 ms$/);
  refused('0\n0\n', /lasts no time/);
  assert.throws(() => readTrace('/nowhere/at/all'), { code: 'bad-definition', message: /cannot be read \(ENOENT\)/ });
});
