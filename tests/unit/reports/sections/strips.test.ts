/** The strips of time beside the sentences of a report. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { subjectOf } from '../../../../core/vocabulary/subject.ts';
import { plugin as verdictSection } from '../../../../reports/sections/verdict/index.ts';
import { temporaryFolder } from '../../harness/support/folder.ts';
import { planOf } from '../../harness/support/plan.ts';
import { renderSections } from '../support/report-data.ts';
import { conditions, fullRun, type Made } from '../support/run.ts';
import { stopped } from '../support/stopped.ts';

const folder = temporaryFolder();

/** Sentences and strips, in the order of the page. */
const itemsOf = (page: string) =>
  [...page.matchAll(/<li[^>]*><span><b>(.*?)<\/b>.*?<\/span>(<svg class="strip".*?<\/svg>)?<\/li>/gs)].map(
    ([, title, svg = '']) => ({ title, svg }),
  );
const countOf = (text: string, part: string) => text.split(part).length - 1;
const heightsOf = (svg: string, colour: string) =>
  [...svg.matchAll(new RegExp(`<path d="([^"]*)" fill="none" stroke="${colour.replace(/[()]/g, '\\$&')}"`, 'g'))].map(
    ([, path]) => [...new Set([...path!.matchAll(/[ML][\d.]+ ([\d.]+)/g)].map(([, y]) => Number(y)))],
  );

test('each condition has a strip beside its sentence: rate, round trip and frames on the scales of all', async () => {
  const { page } = await fullRun(folder);
  const [alone, wired, lossy] = itemsOf(page);
  assert.deepEqual(
    [alone, wired, lossy].map(item => item!.title),
    ['Alone', 'Wired', 'Lossy'],
  );
  for (const { svg } of [alone!, wired!, lossy!]) {
    for (const label of ['40 Mbit/s', '20 ms', '50 fps', '10 s']) assert.ok(svg.includes(`>${label}</text>`), label);
    assert.match(
      svg,
      /aria-label="\w+ over time: rate, round trip, presented frames; stalls and link stops of each trial"/,
    );
    // 1 of 40 Mbit/s lies at a fortieth of the lane, which is 31 px high
    assert.deepEqual(heightsOf(svg, 'var(--c0)'), [[30.2]]);
  }
  assert.deepEqual(heightsOf(alone!.svg, 'var(--c1)'), [], 'no flood');
  assert.deepEqual(heightsOf(wired!.svg, 'var(--c1)'), [[2.3]], '37 of 40 Mbit/s');
  assert.ok(page.indexOf('class="strip"') < page.indexOf('<table'));
});

test('each trial has a row with its stalls, and a void try none', async () => {
  const made: Made[] = [{ stallMs: 300 }, { stallMs: 450 }];
  const { page } = await renderSections(
    [verdictSection],
    planOf({ conditions: { alone: conditions.alone }, run: { window: '10s', repeats: 3 } }),
    [...made, 'void'],
  );
  const { svg } = itemsOf(page)[0]!;
  assert.equal(countOf(svg, 'fill="var(--bad)"'), 2);
  assert.match(svg, /<title>stall of 300 ms: /);
  assert.equal(countOf(svg, 'fill-opacity="0.2"'), 3, 'a band for each line, which are of two trials');
});

test('stops of the link are marked in the row of their trial', async () => {
  const { page } = await renderSections(
    [verdictSection],
    planOf({ conditions: { alone: conditions.alone }, run: { window: '10s' } }),
    [stopped(300, 40)],
  );
  const { svg } = itemsOf(page)[0]!;
  assert.deepEqual(
    [...svg.matchAll(/<title>(.*?)<\/title>/g)].map(([, title]) => title),
    ['the link stood still for 300 ms', 'the link stood still for 40 ms'],
  );
});

test('a condition without a measured trial has a sentence and no strip', async () => {
  const { page } = await renderSections([verdictSection], planOf({ conditions, run: { window: '10s' } }), [{}]);
  assert.deepEqual(
    itemsOf(page).map(({ svg }) => svg !== ''),
    [true, false, false],
  );
});

test('lanes end at the captured frame rate and at the rate of the link, and a later counter does not leave its lane', async () => {
  const plan = planOf({
    conditions: { wired: { ...conditions.wired, link: { rate: '30mbit' } } },
    run: { window: '10s' },
  });
  subjectOf(plan.conditions[0]!).frameRate = 60;
  const { svg } = itemsOf((await renderSections([verdictSection], plan, [{}])).page)[0]!;
  for (const label of ['30 Mbit/s', '60 fps']) assert.ok(svg.includes(`>${label}</text>`), label);
  // 37 of 30 Mbit/s lie at the upper edge; 50 of 60 frames a second in the third lane, whose edge is at 76 px
  assert.deepEqual(heightsOf(svg, 'var(--c1)'), [[0]]);
  assert.deepEqual(heightsOf(svg, 'var(--c3)'), [[81.2]]);
});
