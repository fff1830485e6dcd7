import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plugin as machinesSection } from '../../../../reports/sections/machines/index.ts';
import { plugin as verdictSection } from '../../../../reports/sections/verdict/index.ts';
import { planOf } from '../../harness/support/plan.ts';
import { renderSections } from '../support/report-data.ts';
import { type Made, parsePage } from '../support/run.ts';

const conditions = { alone: { title: 'Alone', flood: { id: 'none' } }, wired: { title: 'Wired' } };

/** Page of a run whose repeats ran on these machines: of the trial alone, and of the trial beside the flood. */
async function pageOf(places: readonly (readonly [alone: string, wired: string])[]) {
  const on = (machine: string): Made => ({ change: { machine } });
  const made = places.flatMap(([alone, wired]) => [on(alone), on(wired)]);
  const plan = planOf({ conditions, run: { window: '10s', repeats: places.length } });
  const { page } = await renderSections([verdictSection, machinesSection], plan, made);
  const document = parsePage(page);
  const words = (selector: string) => document.querySelector(selector)?.textContent.replace(/\s+/g, ' ').trim();
  return { words, warnings: [...document.querySelectorAll('.warning')].map(({ textContent }) => textContent) };
}

test('several machines: the spread has a section, and the result says where to find it, without a warning', async () => {
  const { words, warnings } = await pageOf([
    ['a', 'a'],
    ['b', 'b'],
    ['a', 'a'],
  ]);
  assert.deepEqual(warnings, []);
  assert.match(words('#verdict')!, /2 machines ran the trials; Machines shows how much their values differ\./);
  assert.match(words('#machines thead')!, /a ?b ?Within a machine ?Between machines/);
  assert.match(words('#machines tbody')!, /Frame rate ?Alone ?50\.0 and 50\.0 fps ?n = 2 ?50\.0 fps ?n = 1/);
  assert.match(words('#machines figcaption')!, /Trials that count: 4 on a, 2 on b\./);
});

test('machine and condition mixed up: the first screen warns, and counts the pairs that are left out', async () => {
  const { words, warnings } = await pageOf([
    ['a', 'b'],
    ['a', 'b'],
    ['a', 'a'],
  ]);
  assert.equal(warnings.length, 1);
  assert.match(
    warnings[0]!.replace(/\s+/g, ' '),
    /^Machine and condition are mixed up: Wired \(2 of 3 on b, 1 of 3 on a\) and Alone \(3 of 3 on a\) had at least half of their trials on different machines/,
  );
  assert.match(warnings[0]!, /2 pairs of trials are left out \(Wired\)/);
  assert.match(words('#verdict')!, /one pair of trials is too few to claim a difference from Alone/);
});

test('one machine has neither', async () => {
  const { words, warnings } = await pageOf([['a', 'a']]);
  assert.deepEqual([words('#machines'), warnings], [undefined, []]);
  assert.doesNotMatch(words('#verdict')!, /machines/);
});
