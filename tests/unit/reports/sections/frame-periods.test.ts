/** Reports on streams with few and with many frames a second, whose limits follow the frame period. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plugin as freezeDefinitionsSection } from '../../../../reports/sections/freeze-definitions/index.ts';
import { plugin as verdictSection } from '../../../../reports/sections/verdict/index.ts';
import { planOf } from '../../harness/support/plan.ts';
import { endMs, every, presentedAt, startMs } from '../../harness/support/record.ts';
import { renderSections } from '../support/report-data.ts';
import { parsePage } from '../support/run.ts';

/** Presentation times of frames on a display of 60 Hz: each at the refresh after its time. */
const shownAt = (periodMs: number, toMs = endMs) =>
  every(periodMs, startMs - 1000, toMs).map(time => (Math.ceil((time * 60) / 1000 - 1e-6) * 1000) / 60);

async function told(periodMs: number, service: object, change: object = {}) {
  const plan = planOf({
    service: { id: 'clip', ...service },
    flood: { id: 'none' },
    run: { window: '10s' },
    ...change,
  });
  const made = plan.trials.map(() => ({ series: { 'frames.presented': presentedAt(shownAt(periodMs)) } }));
  const document = parsePage((await renderSections([verdictSection, freezeDefinitionsSection], plan, made)).page);
  const text = (of: string) => document.querySelector(of)?.textContent.replaceAll(/\s+/g, ' ') ?? '';
  return {
    sentence: text('#verdict ul.verdict li'),
    numbers: text('#numbers figcaption'),
    definitions: text('#freeze-definitions'),
    table: text('#numbers'),
  };
}

test('five frames a second on an idle link are smooth motion without a stall, and the report has the rule', async () => {
  const { sentence, numbers, definitions } = await told(200, { frameRate: 5 });
  assert.match(sentence, /: smooth motion at 5\.0 of 5 fps, no stall\.$/);
  assert.match(numbers, /A stall is a gap between presented frames of more than 1 s \(5 frame periods at 5 fps\)\./);
  assert.match(
    numbers,
    /no gap is longer than 600 ms \(3 frame periods at 5 fps\), no gap is a stall, and the picture never/,
  );
  assert.match(definitions, /Stall: more than 1 s \(5 frame periods at 5 fps\) without a frame/);
  assert.match(definitions, /This study: more than 600 ms \(3 frame periods at 5 fps\)/);
  assert.doesNotMatch(definitions, /Juntima/);
});

test('conditions with several frame rates have a limit each', async () => {
  const { numbers, definitions } = await told(
    100,
    { frameRate: 10 },
    {
      vary: { 'service.frameRate': [60, 15, 10] },
    },
  );
  const limits = /200 ms, or 5 frame periods if these are longer \(333 ms at 15 fps and 500 ms at 10 fps\)/;
  assert.match(numbers, limits);
  assert.match(definitions, limits);
});

test('thresholds can be set, and the report names the setting', async () => {
  const measure = { headlineStall: '205ms', stall: '210ms', smoothGap: '150ms' };
  const { sentence, numbers, definitions } = await told(200, { frameRate: 5 }, { measure });
  assert.match(sentence, /uneven motion at 5\.0 of 5 fps|no stall/);
  assert.match(numbers, /more than 205 ms \(measure\.headlineStall\)/);
  assert.match(numbers, /no gap is longer than 150 ms \(measure\.smoothGap\)/);
  assert.match(definitions, /This study: more than 210 ms \(measure\.stall\)/);
  assert.doesNotMatch(definitions, /Juntima/);
});

test('more frames than the display shows are no uneven motion, and the report says why', async () => {
  const { sentence, numbers } = await told(1000 / 60, { frameRate: 120 });
  assert.match(sentence, /: smooth motion at 60\.0 of the 60 fps that the display shows \(120 captured\), no stall\.$/);
  assert.match(numbers, /Of 120 captured frames a second Chromium presents 60: its display has 60 Hz/);
  const usual = await told(1000 / 60, { frameRate: 60 });
  assert.match(usual.sentence, /: smooth motion at 60\.0 of 60 fps, no stall\.$/);
  assert.match(usual.numbers, /A stall is a gap between presented frames of more than 200 ms\./);
  assert.match(usual.definitions, /Stall \(Juntima et al\.\): more than 200 ms without a frame/);
  assert.doesNotMatch(usual.numbers, /captured frames a second/);
});

test('a display that shows more than 60 frames a second is asked for all of them', async () => {
  const frames = presentedAt(every(1000 / 120, startMs - 1000, endMs));
  const plan = planOf({ service: { id: 'clip', frameRate: 120 }, flood: { id: 'none' }, run: { window: '10s' } });
  const { lines } = await renderSections([verdictSection, freezeDefinitionsSection], plan, [
    { series: { 'frames.presented': frames } },
  ]);
  assert.match(lines.join('\n'), /smooth motion at 120\.0 of 120 fps, no stall/);
});

test('half of the frames that a display can show are uneven motion', async () => {
  const { sentence } = await told(1000 / 30, { frameRate: 120 });
  assert.match(sentence, /uneven motion at 30\.0 of the 60 fps that the display shows \(120 captured\)/);
});
