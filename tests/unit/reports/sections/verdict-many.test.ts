/** Verdicts on many conditions: conditions in which nothing happened share a sentence. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { confoundedNote } from '../../../../reports/sections/verdict/confounded.ts';
import { plugin as verdictSection } from '../../../../reports/sections/verdict/index.ts';
import { quietOf, sharedSentences } from '../../../../reports/sections/verdict/quiet.ts';
import { planOf } from '../../harness/support/plan.ts';
import { renderSections } from '../support/report-data.ts';
import { conditions } from '../support/run.ts';
import { verdictOf } from '../support/verdict.ts';

/** Sentences on a stream alone on this many links, with one trial on each. The trial on the third link stalls. */
async function sentencesOf(links: number): Promise<string[]> {
  const plan = planOf({
    conditions: { alone: conditions.alone },
    vary: { 'link.rtt': Array.from({ length: links }, (_, k) => `${k + 1}ms`) },
    run: { window: '10s', repeats: 1 },
  });
  const { page } = await renderSections(
    [verdictSection],
    plan,
    plan.trials.map(({ condition }) => ({ stallMs: condition.endsWith('rtt-3ms') ? 3000 : 0 })),
  );
  return verdictOf(page).sentences;
}

test('of more than twelve conditions, those with smooth motion and without a stall share a sentence', async () => {
  const sentences = await sentencesOf(13);
  assert.equal(sentences.length, 2);
  assert.match(sentences[0]!, /^Alone, rtt 3ms: .* 1 stall of 3000 ms\.$/);
  assert.match(
    sentences[1]!,
    /^12 conditions of 13: smooth motion in most trials, and no stall in any: Alone, rtt 1ms; Alone, rtt 2ms; .*rtt 13ms\.$/,
  );
});

test('that there are too few pairs to claim a difference is said once', async () => {
  const plan = planOf({
    conditions: { alone: conditions.alone, wired: conditions.wired, lossy: conditions.lossy },
    vary: { 'link.rtt': Array.from({ length: 5 }, (_, k) => `${k + 1}ms`) },
    run: { window: '10s', repeats: 2 },
  });
  const { page } = await renderSections(
    [verdictSection],
    plan,
    plan.trials.map(({ condition }) => ({ stallMs: condition === 'lossy-rtt-3ms' ? 3000 : 0 })),
  );
  const { sentences } = verdictOf(page);
  assert.equal(sentences.length, 3);
  assert.match(sentences[0]!, /^Lossy, rtt 3ms.* 2 stalls in 2 of 2 trials, the longest 3000 ms\.$/);
  assert.match(sentences[1]!, /^14 conditions of 15: smooth motion/);
  assert.match(
    sentences[2]!,
    /^(\d+) of \1 comparisons with a baseline: 2 pairs of trials are too few to claim a difference\.$/,
  );
});

test('of many conditions that differ alike from their baseline in two things, the number is said', () => {
  const noteOf = (others: number) => {
    const links = Array.from({ length: others }, (_, k) => [
      `other-${k}`,
      { title: `Other ${k}`, link: { rtt: `${k + 9}ms`, queue: { limit: `${k + 40}ms` } } },
    ]);
    const plan = planOf({
      conditions: { alone: conditions.alone, ...Object.fromEntries(links) },
      baseline: 'alone',
      run: { window: '10s', repeats: 1 },
    });
    const ids = plan.conditions.map(({ id }) => id);
    const summary = {
      conditions: ids.map(id => ({ id, trials: 1 })),
      comparisons: ids.filter(id => id !== 'alone').map(condition => ({ condition, baseline: 'alone' })),
    };
    return confoundedNote({ plan, summary } as never)!.text;
  };
  assert.match(noteOf(2), /Other 0 and Other 1 differ from Alone in .* at once, so/);
  assert.match(noteOf(7), />7 conditions differ from Alone in .* at once, so/);
});

test('of twelve, each has its own', async () => {
  assert.equal((await sentencesOf(12)).length, 12);
});

test('that there is no difference is said once, with what was compared', async () => {
  const plan = planOf({
    conditions: { alone: conditions.alone, wired: conditions.wired, lossy: conditions.lossy },
    run: { window: '10s', repeats: 6 },
  });
  const report = await renderSections(
    [verdictSection],
    plan,
    plan.trials.map(({ condition }) => ({ stallMs: condition === 'lossy' ? 3000 : 0 })),
  );
  const quiet = quietOf(report);
  assert.deepEqual(
    quiet.map(({ id }) => id),
    ['alone', 'wired'],
  );
  assert.deepEqual(sharedSentences(quiet, report), [
    { title: '2 conditions of 3', said: ': smooth motion in most trials, and no stall in any: Alone; Wired.' },
    {
      title: '1 of 2 comparisons with a baseline',
      said: ': no significant difference in stalled time, frame rate or bitrate.',
    },
  ]);
});

test('pairs that are too few for a corrected test are not said to show no difference', async () => {
  const plan = planOf({
    conditions: { alone: conditions.alone, wired: conditions.wired, lossy: conditions.lossy },
    run: { window: '10s', repeats: 6 },
  });
  const report = await renderSections(
    [verdictSection],
    plan,
    plan.trials.map(() => ({ stallMs: 0 })),
  );
  const goodput = report.summary.comparisons[0]!.tests['goodput']!;
  const shift = { value: -1e6, low: -2e6, high: 1e6, n: 6, confidence: 0.96 };
  Object.assign(goodput, { shift, changed: 6, effect: -0.8, p: 0.06, correctedP: 0.06, smallestShown: null });
  assert.equal(quietOf(report).length, 3);
  assert.deepEqual(sharedSentences(quietOf(report), report).slice(1), [
    {
      title: '2 of 2 comparisons with a baseline',
      said: ': no significant difference in stalled time, frame rate or bitrate.',
    },
    { title: '1 of 2 comparisons with a baseline', said: ': not testable in bitrate.' },
  ]);
  Object.assign(goodput, { effect: -1 });
  assert.deepEqual(
    quietOf(report).map(({ id }) => id),
    ['alone', 'lossy'],
  );
});
