import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cdfCaption, cdfChart } from '../../../../reports/charts/cdf-chart.ts';
import { heatMap } from '../../../../reports/charts/heat-map.ts';
import { stillSeries } from '../../../../reports/charts/still-series.ts';
import { chartsOf, parsePage } from '../support/run.ts';

const hostile = '</noscript><script>alert(1)</script>"';

test('a heat map has a cell and a number for each pair, the larger the fuller', () => {
  const cell = (x: string, y: string, value: number | null) => ({
    x,
    y,
    value,
    text: value === null ? '-' : String(value),
    detail: `${x} ${y}: ${value}`,
  });
  const { text } = heatMap({
    title: 'Stalls',
    x: { label: 'flows', values: ['1', '5'] },
    y: { label: 'control', values: ['bbr', 'cubic'] },
    cells: [cell('1', 'bbr', 0), cell('5', 'bbr', 10), cell('1', 'cubic', 5), cell('5', 'cubic', null)],
  });
  assert.deepEqual(
    [...text.matchAll(/var\(--c0\) (\d+)%/g)].map(match => Number(match[1])),
    [8, 70, 39],
  );
  assert.match(text, /role="img" aria-label="Stalls, flows across, control down: 1 bbr: 0; 5 bbr: 10;/);
  for (const word of ['bbr', 'cubic', 'flows', '10']) assert.ok(text.includes(`>${word}<`), word);
  assert.doesNotMatch(text, /NaN/);
});

test('a heat map of equal numbers, and of one, has one colour', () => {
  const { text } = heatMap({
    title: 't',
    x: { label: 'x', values: ['1'] },
    y: { label: 'y', values: ['a'] },
    cells: [{ x: '1', y: 'a', value: 7, text: '7', detail: 'd' }],
  });
  assert.ok(text.includes('var(--c0) 25%') && !text.includes('NaN'));
});

test('values that are nearly the same have nearly the same colour', () => {
  const { text } = heatMap({
    title: 't',
    x: { label: 'x', values: ['1', '2'] },
    y: { label: 'y', values: ['a'] },
    cells: [59.9, 60].map((value, i) => ({ x: String(i + 1), y: 'a', value, text: String(value), detail: 'd' })),
  });
  assert.deepEqual(
    [...text.matchAll(/var\(--c0\) (\d+)%/g)].map(([, percent]) => percent),
    ['8', '9'],
  );
});

test('a still image of a series has its lines, marks and names, and no more points than it can show', () => {
  const values = Array.from({ length: 2000 }, (_, i) => i);
  const { text } = stillSeries({
    title: 'Round trip',
    x: { label: 's', values },
    y: { label: 'ms', min: 0 },
    lines: [{ label: 'A', colour: 1, values: values.map(value => (value % 7 === 0 ? null : value)) }],
    marks: [{ from: 2, to: 3, label: 'm', colour: 2 }],
  });
  assert.ok(text.includes('var(--c1)') && text.includes('var(--c2)') && text.includes('>A<'));
  assert.doesNotMatch(text, /NaN/);
  assert.ok(text.length < 20_000, String(text.length));
});

test('a still image has the phases with their names, in turns', () => {
  const { text } = stillSeries({
    title: 't',
    x: { label: 's', values: [0, 4] },
    y: { label: 'ms' },
    lines: [{ label: 'A', colour: 0, values: [1, 2] }],
    phases: [
      { from: 0, to: 1, label: '40 Mbit/s' },
      { from: 1, to: 4, label: '5 Mbit/s' },
    ],
  });
  const shades = [...parsePage(text).querySelectorAll('g[aria-label="rect"] rect')];
  assert.deepEqual(
    shades.map(shade => shade.getAttribute('fill-opacity')),
    ['0.2', '0.08'],
  );
  assert.ok(Number(shades[1]!.getAttribute('width')) > 2.5 * Number(shades[0]!.getAttribute('width')));
  for (const name of ['40 Mbit/s', '5 Mbit/s']) assert.ok(text.includes(`>${name}<`), name);
});

test('a still image has a band where the link stood still, at least a pixel wide, with its words', () => {
  const { text } = stillSeries({
    title: 't',
    x: { label: 's', values: [0, 100] },
    y: { label: 'ms' },
    lines: [{ label: 'A', colour: 0, values: [1, 2] }],
    stops: [
      { from: 20, to: 20.001, label: 'the link stood still for 1 ms' },
      { from: 50, to: 60, label: 'the link stood still for 10000 ms' },
    ],
  });
  const bands = [...parsePage(text).querySelectorAll('g[aria-label="rect"] rect')];
  const [short, long] = bands.map(band => Number(band.getAttribute('width')));
  assert.ok(short! >= 1 && short! < 2, String(short));
  assert.ok(long! > 50 && long! < 60, String(long));
  assert.equal(bands[0]!.querySelector('title')!.textContent, 'the link stood still for 1 ms');
});

test('a phase that is too short for its name has none', () => {
  const { text } = stillSeries({
    title: 't',
    x: { label: 's', values: [0, 100] },
    y: { label: 'ms' },
    lines: [{ label: 'A', colour: 0, values: [1, 2] }],
    phases: [
      { from: 0, to: 5, label: '40 Mbit/s' },
      { from: 5, to: 100, label: '5 Mbit/s' },
    ],
  });
  assert.ok(!text.includes('>40 Mbit/s<') && text.includes('>5 Mbit/s<'));
});

test('a line without a value is drawn, too', () => {
  const { text } = stillSeries({
    title: 't',
    x: { label: 's', values: [0, 1] },
    y: { label: 'ms' },
    lines: [{ label: 'A', colour: 0, values: [null, null] }],
  });
  assert.match(text, /^<svg/);
});

test('words in them stay words', () => {
  const maps = heatMap({
    title: hostile,
    x: { label: hostile, values: [hostile] },
    y: { label: hostile, values: ['y'] },
    cells: [{ x: hostile, y: 'y', value: 1, text: hostile, detail: hostile }],
  });
  const still = stillSeries({
    title: hostile,
    x: { label: hostile, values: [0, 1] },
    y: { label: hostile },
    lines: [{ label: hostile, colour: 0, values: [1, 2] }],
  });
  for (const { text } of [maps, still]) {
    assert.equal(parsePage(text).querySelectorAll('script').length, 0);
    assert.ok(!text.includes('</noscript>'));
  }
});

test('a distribution is the share of values at or below x', () => {
  const [chart] = chartsOf(
    cdfChart('Latency', 'ms', 'frames', [{ label: 'A', colour: 0, trials: [[1, 10, 10, 100]] }]).text,
  );
  const { values } = chart!.lines[0]!;
  const at = (x: number) => values[chart!.x.values.findLastIndex(value => value <= x)];
  assert.deepEqual([values[0], at(5), at(50), values.at(-1)], [0, 0.25, 0.75, 1]);
});

test('the distribution of a condition is the median of those of its trials, with their range as a band', () => {
  const distributions = [
    {
      label: 'A',
      colour: 0,
      trials: [
        [1, 1],
        [1, 100],
        [100, 100, 100, 100, 100, 100],
      ],
    },
  ];
  const [chart] = chartsOf(cdfChart('Latency', 'ms', 'frames', distributions).text);
  const { values, band } = chart!.lines[0]!;
  const at = (of: (number | null)[]) => of[chart!.x.values.findLastIndex(value => value <= 50)];
  assert.deepEqual([at(values), at(band!.low), at(band!.high)], [0.5, 0, 1], 'pooled, 0.3 of the values are below 50');
  assert.match(cdfCaption(distributions), /^lines: median of the trials' distributions .* A 50\.5 ms\.$/);
});
