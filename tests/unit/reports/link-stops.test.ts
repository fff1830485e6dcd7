/** Stops of the link in reports: times when it stood still. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { TrialView } from '../../../harness/analysis/derive/trial-view.ts';
import { linkStops, stopsInWords } from '../../../reports/link-stops.ts';
import type { TrialData } from '../../../reports/page/trial-data.ts';
import { temporaryFolder } from '../harness/support/folder.ts';
import { planOf } from '../harness/support/plan.ts';
import { startMs, writeRecord } from '../harness/support/record.ts';
import { chartsOf, conditions, type Made, parsePage, renderRun } from './support/run.ts';
import { stopped } from './support/stopped.ts';

const folder = temporaryFolder();

function viewOf(name: string, ...lengthsMs: number[]): TrialView {
  const { series, change } = stopped(...lengthsMs);
  return new TrialView(writeRecord(join(folder, name), series!, change));
}

test('the number, the longest and the sum in words', () => {
  assert.equal(stopsInWords({ count: 3, longestMs: 12.4, sumMs: 24.1 }), '3 times, longest 12 ms, 24 ms in all');
  assert.equal(stopsInWords({ count: 1, longestMs: 12.4, sumMs: 12.4 }), 'once, for 12 ms');
});

test('where each line is one trial, stops are bands that say how long the link stood still', async () => {
  const one = await linkStops([{ title: 'Alone', records: [viewOf('one', 12, 8)] }]);
  assert.deepEqual(one.stops, [
    [
      { from: 1, to: 1.012, label: 'the link stood still for 12 ms' },
      { from: 2, to: 2.008, label: 'the link stood still for 8 ms' },
    ],
  ]);
  assert.equal(
    one.caption,
    'Grey bands: the link stood still although packets waited, because the machine had stopped it: 2 times, longest ' +
      '12 ms, 20 ms in all.',
  );
  const two = await linkStops([
    { title: 'Alone', records: [viewOf('calm')] },
    { title: 'Wired', records: [viewOf('other', 9)] },
  ]);
  assert.deepEqual(two.stops, [[], [{ from: 1, to: 1.009, label: 'Wired: the link stood still for 9 ms' }]]);
  assert.match(two.caption, /^Grey bands: .*: Wired once, for 9 ms\.$/);
});

test('where a line is a median over trials, the caption says them instead', async () => {
  const { stops, caption } = await linkStops([
    { title: 'Alone', records: [viewOf('a', 5)] },
    { title: 'Wired', records: [viewOf('b', 9, 4), viewOf('c'), viewOf('d', 20)] },
  ]);
  assert.deepEqual(stops, [[], []]);
  assert.equal(
    caption,
    'The link stood still although packets waited, because the machine had stopped it: Alone once, for 5 ms; Wired ' +
      '3 times, longest 20 ms, 33 ms in all (in 2 of 3 trials); not drawn over several trials.',
  );
});

test('of many conditions the caption has the sum', async () => {
  const many = Array.from({ length: 6 }, (_, i) => ({
    title: `C${i}`,
    records: [viewOf(`m${i}`, ...(i === 0 ? [] : [i + 1])), viewOf(`n${i}`)],
  }));
  assert.match(
    (await linkStops(many)).caption,
    /: in 5 of 6 conditions, 5 times, longest 6 ms, 20 ms in all; not drawn over several trials\.$/,
  );
});

test('where no link stood still, or none can tell, nothing is said', async () => {
  const nothing = { stops: [[]], caption: '' };
  assert.deepEqual(await linkStops([{ title: 'Alone', records: [viewOf('never')] }]), nothing);
  const untold = new TrialView(writeRecord(join(folder, 'untold'), {}));
  assert.deepEqual(await linkStops([{ title: 'Alone', records: [untold] }]), nothing);
});

/** Sections with charts over time. */
const sections = ['rtt-series', 'queue-delay-series', 'goodput-series', 'frame-rate-series', 'picture-quality'];
const pictures: Made['series'] = {
  'picture-quality': [{ timeMs: startMs, shownFrame: 0, wantedFrame: 0, psnrDb: 38, ssim: 0.97, vmaf: null }],
  'picture-comparison': [
    {
      vmaf: null,
      vmafMissing: 'no FFmpeg was found',
      problem: null,
      shownPictures: 1,
      numbersRight: 1,
      numbersOld: 0,
      numbersUnread: 0,
    },
  ],
};

function withPictures(made: Made): Made {
  return { ...made, series: { ...made.series, ...pictures } };
}

async function pageOf(name: string, repeats: number, made: Made[]): Promise<string> {
  const plan = planOf({ conditions: { wired: conditions.wired }, run: { window: '10s', repeats } });
  return (await renderRun(folder, name, plan, made.map(withPictures))).page;
}

test('each chart over time of a page with one trial has its stops and explains them', async () => {
  const page = await pageOf('page', 1, [stopped(12, 12, 3)]);
  const document = parsePage(page);
  for (const id of sections) {
    const section = document.querySelector(`#${id}`)!;
    const labels = chartsOf(section.innerHTML).flatMap(({ stops = [] }) => stops.map(({ label }) => label));
    assert.deepEqual(
      labels,
      [12, 12, 3].map(ms => `the link stood still for ${ms} ms`),
      id,
    );
    assert.match(
      section.textContent.replace(/\s+/g, ' '),
      /Grey bands: the link stood still .* 3 times, longest 12 ms/,
    );
  }
});

test('a page with several trials draws none and counts them, and the table counts those of each trial', async () => {
  const page = await pageOf('pages', 2, [stopped(12, 12, 3), stopped()]);
  const document = parsePage(page);
  for (const id of sections) {
    const section = document.querySelector(`#${id}`)!;
    assert.deepEqual(
      chartsOf(section.innerHTML).flatMap(({ stops = [] }) => stops),
      [],
      id,
    );
    assert.match(section.textContent.replace(/\s+/g, ' '), /\(in 1 of 2 trials\); not drawn over several trials\./);
  }
  const rows = [...document.querySelectorAll('#trial-table tbody tr')].map(row =>
    [...row.querySelectorAll('small')].map(small => small.textContent),
  );
  assert.deepEqual(rows, [['link stood still 3 times, longest 12 ms, 27 ms in all'], []]);
  const [, ...trials] = document
    .querySelector('#trial-data')!
    .textContent.trim()
    .split('\n')
    .map(line => JSON.parse(line) as TrialData);
  assert.deepEqual(
    trials.map(({ stops }) => stops),
    [
      [
        [1, 1.012, 'the link stood still for 12 ms'],
        [2, 2.012, 'the link stood still for 12 ms'],
        [3, 3.003, 'the link stood still for 3 ms'],
      ],
      [],
    ],
  );
});
