import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inSentence } from '../../../../core/text/in-sentence.ts';

test('a title within a sentence keeps its abbreviations and names', () => {
  assert.equal(inSentence('Frame latency, 95th percentile'), 'frame latency, 95th percentile');
  for (const title of ['ITU-T G.1072 score', 'RTP packets lost', 'p95', '']) assert.equal(inSentence(title), title);
});
