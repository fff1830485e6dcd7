import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plugin as verdictSection } from '../../../../reports/sections/verdict/index.ts';
import { plugin as voiceSection } from '../../../../reports/sections/voice/index.ts';
import { scoreWords } from '../../../../reports/voice-words.ts';
import {
  clipLines,
  heardLines,
  heardSamples,
  type Listening,
  sentLines,
} from '../../harness/analysis/derive/voice/spoken.ts';
import { planOf } from '../../harness/support/plan.ts';
import { endMs, startMs } from '../../harness/support/record.ts';
import { renderSections } from '../support/report-data.ts';
import { conditions, parsePage } from '../support/run.ts';

const spokenMs = startMs - 2000;

/** A trial in which this is heard. */
const trial = (listening: Listening) => ({
  series: {
    'voice.clip': clipLines,
    'voice.sent': sentLines(spokenMs),
    'voice.heard': heardLines(heardSamples(listening, 1000, endMs - startMs + 2000), startMs - 1000),
  },
});
const whole = trial(ms => ms - 100);
const broken = trial(ms => ((ms >= 4500 && ms < 5400) || (ms >= 6500 && ms < 7500) ? null : ms - 100));

async function texts(trials: object[], repeats: number) {
  const { page } = await renderSections(
    [verdictSection, voiceSection],
    planOf({ conditions: { alone: conditions.alone }, run: { window: '10s', repeats } }),
    trials,
  );
  const text = (of: string) => parsePage(page).querySelector(of)?.textContent.replace(/\s+/g, ' ') ?? '';
  return { verdict: text('#verdict'), voice: text('#voice') };
}

test('the verdict tells of the voice, and the section has its numbers', async () => {
  const one = await texts([broken], 1);
  assert.match(one.verdict, /the voice broke off 2 times, 1\.[89]\d? s in all/);
  assert.match(one.voice, /Alone: the voice broke off 2 times, 1\.[89]\d? s in all\./);
  assert.match(one.voice, /Mouth to ear, median/);
  assert.match((await texts([whole, broken, whole], 3)).verdict, /the voice broke off 2 times in 1 of 3 trials, /);
  assert.match((await texts([whole, whole], 2)).verdict, /the voice never broke off in 2 trials/);
});

test('a study without a voice says nothing of one', async () => {
  const { verdict, voice } = await texts([{}], 1);
  assert.equal(voice, '');
  assert.doesNotMatch(verdict, /voice/);
});

test('the score of a condition stands beside that of the codec alone', () => {
  const of = (trial: string, score: number, codecAlone: number | null, condition = 'alone') => ({
    trial,
    condition,
    score,
    lowest: score,
    pieces: 3,
    codecAlone,
    codec: 'Opus at 32 kbit/s',
  });
  const told = (...voice: ReturnType<typeof of>[]) => scoreWords('alone', { voice, scoredBy: 'ViSQOL' });
  assert.equal(told(of('a', 4.1, 4.2)), 'score 4.1, codec alone 4.2');
  assert.equal(
    told(of('a', 4.1, 4.2), of('b', 3, 4.2), of('c', 3.5, null), of('d', 1, 1, 'beside')),
    'score 3.5, codec alone 4.2 (medians of 3 trials)',
  );
  assert.equal(told(of('a', 2, null)), 'score 2.0, codec alone not known');
  assert.equal(told(of('d', 1, 1, 'beside')), null);
  assert.equal(scoreWords('alone', null), null);
});
