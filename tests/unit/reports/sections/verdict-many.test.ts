/** Many conditions: those in which nothing happened share a sentence. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { temporaryFolder } from '../../harness/support/folder.ts';
import { planOf } from '../../harness/support/plan.ts';
import { isQuiet, quietSentence } from '../../../../reports/sections/verdict/quiet.ts';
import { conditions, renderRun } from '../support/run.ts';
import { verdictOf } from '../support/verdict.ts';

const folder = temporaryFolder();

/** What is said of a stream alone on so many links, with one trial on each, of which that on the third link stalls. */
async function sentencesOf(links: number): Promise<string[]> {
  const plan = planOf({
    conditions: { alone: conditions.alone },
    vary: { 'link.rtt': Array.from({ length: links }, (_, k) => `${k + 1}ms`) },
    run: { window: '10s', repeats: 1 },
  });
  const { page } = await renderRun(
    folder,
    `links-${links}`,
    plan,
    plan.trials.map(({ condition }) => ({ stallMs: condition.endsWith('rtt-3ms') ? 3000 : 0 })),
  );
  return verdictOf(page).sentences;
}

test('of more than twelve conditions, those without a stall share a sentence', async () => {
  const sentences = await sentencesOf(13);
  assert.equal(sentences.length, 2);
  assert.match(sentences[0]!, /^Alone, rtt 3ms: .* 1 stall of 3000 ms\.$/);
  assert.match(
    sentences[1]!,
    /^12 conditions of 13: no stall in any trial, smooth motion in most trials of each: Alone, rtt 1ms; Alone, rtt 2ms; .*rtt 13ms\.$/,
  );
});

test('of twelve, each has its own', async () => {
  assert.equal((await sentencesOf(12)).length, 12);
});

test('that sentence says of what no difference was seen, and which conditions count as quiet', async () => {
  const plan = planOf({
    conditions: { alone: conditions.alone, wired: conditions.wired, lossy: conditions.lossy },
    run: { window: '10s', repeats: 6 },
  });
  const { summary, plan: made } = await renderRun(
    folder,
    'six',
    plan,
    plan.trials.map(({ condition }) => ({ stallMs: condition === 'lossy' ? 3000 : 0 })),
  );
  assert.deepEqual(
    summary.conditions.filter(own => isQuiet(own, { summary, plan: made })).map(({ id }) => id),
    ['alone', 'wired'],
  );
  assert.deepEqual(quietSentence(summary.conditions.slice(0, 2), { summary }), {
    title: '2 conditions of 3',
    said: ': no stall in any trial, smooth motion in most trials of each, and no significant difference from the baseline in frame rate or bitrate: Alone; Wired.',
  });
});
