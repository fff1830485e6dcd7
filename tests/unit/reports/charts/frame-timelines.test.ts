import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FrameTimeline, frameTimelines } from '../../../../reports/charts/frame-timelines.ts';
import { parsePage } from '../support/run.ts';

const parts = ['one', 'two', 'never'].map((name, colour) => ({ name, colour }));
const timelines: FrameTimeline[] = [
  {
    label: '7',
    stretches: [
      { part: 0, from: 1, to: 2 },
      { part: 1, from: 2, to: 2 },
    ],
    isFaint: false,
  },
  {
    label: '8',
    stretches: [
      { part: 0, from: 1.5, to: 2 },
      { part: 1, from: 2, to: 3 },
    ],
    isFaint: true,
  },
];
const page = (stops: Parameters<typeof frameTimelines>[0]['stops']) =>
  parsePage(
    frameTimelines({ title: 'Timelines', label: 'time (s)', parts, timelines, shade: { from: 0.5, to: 2.5 }, stops })
      .text,
  );
const drawn = page([]);

test('each stretch that lasts is a bar in the colour of its part, fainter where the row did not come to its end', () => {
  const bars = [...drawn.querySelectorAll('g[aria-label="bar"] rect')].map(bar => [
    bar.getAttribute('fill'),
    bar.getAttribute('fill-opacity'),
  ]);
  assert.deepEqual(bars, [
    ['var(--c0)', '1'],
    ['var(--c0)', '0.4'],
    ['var(--c1)', '0.4'],
  ]);
});

test('rows lie below each other, and time goes to the right', () => {
  const place = (attribute: string) =>
    [...drawn.querySelectorAll('g[aria-label="bar"] rect')].map(bar => Number(bar.getAttribute(attribute)));
  const [y, x] = [place('y'), place('x')];
  assert.ok(y[0]! < y[1]! && y[1] === y[2]);
  assert.ok(x[0]! < x[1]! && x[1]! < x[2]!);
});

test('the time that is meant is shaded, and the key has the parts that are there', () => {
  assert.equal(drawn.querySelectorAll('g[aria-label="rect"] rect').length, 1);
  assert.deepEqual(
    [...drawn.querySelectorAll('.lines span')].map(span => span.textContent),
    ['one', 'two'],
  );
  assert.equal(drawn.querySelector('svg')!.getAttribute('aria-label'), 'Timelines');
  assert.doesNotMatch(drawn.documentElement.outerHTML, /NaN/);
});

test('stops of the link are bands over the time of the frames, and not beyond', () => {
  const bands = [
    ...page([
      { from: 0.1, to: 0.2, label: 'before' },
      { from: 1, to: 1.5, label: 'inside' },
      { from: 2.9, to: 5, label: 'at the end' },
      { from: 3.5, to: 4, label: 'behind' },
    ]).querySelectorAll('g[aria-label="rect"] rect'),
  ].slice(1);
  assert.deepEqual(
    bands.map(band => band.querySelector('title')!.textContent),
    ['inside', 'at the end'],
  );
  const [inside, last] = bands.map(band => Number(band.getAttribute('width')));
  assert.ok(Math.abs(inside! - 5 * last!) < 1e-6, `${inside} ${last}`); // 0.5 s and 0.1 s
});
