import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seriesChart } from '../../../../reports/charts/series-chart.ts';
import { lineCaption, trialLine } from '../../../../reports/charts/trial-lines.ts';
import { chartsOf } from '../support/run.ts';

test('a chart is its data, with a description for those who do not see it', () => {
  const { text } = seriesChart({
    title: 'Round trip',
    x: { label: 'time (s)', values: [0, 1] },
    y: { label: 'ms' },
    lines: [{ label: 'A', colour: 1, values: [5, null] }],
  });
  assert.match(text, /^<div class="chart" tabindex="0" role="group" aria-label="Round trip: ms over time \(s\)\./);
  assert.deepEqual(chartsOf(text), [
    {
      title: 'Round trip',
      x: { label: 'time (s)', values: [0, 1] },
      y: { label: 'ms' },
      lines: [{ label: 'A', colour: 1, values: [5, null] }],
      dots: true,
    },
  ]);
});

test('few values have dots; the image for readers without scripts has them and the bands', () => {
  const chart = (count: number) =>
    seriesChart({
      title: 'Round trip',
      x: { label: 'time (s)', values: Array.from({ length: count }, (_, k) => k) },
      y: { label: 'ms' },
      lines: [
        {
          label: 'A',
          colour: 1,
          values: Array.from({ length: count }, (_, k) => (k === 1 ? null : 5)),
          band: { low: Array.from({ length: count }, () => 4), high: Array.from({ length: count }, () => 6) },
        },
      ],
    }).text;
  const marks = (text: string, name: string) => text.match(new RegExp(`<g aria-label="${name}"[^]*?</g>`))?.[0] ?? '';
  assert.equal(marks(chart(3), 'dot').match(/<circle/g)?.length, 2, 'none where there is no value');
  assert.match(marks(chart(3), 'area'), /<path/);
  assert.equal(marks(chart(41), 'dot'), '');
  assert.equal(chartsOf(chart(41)).length, 1);
});

test('colours stay inside the palette, words inside the data', () => {
  const hostile = '</script><script>alert(1)</script>"';
  const { text } = seriesChart({
    title: hostile,
    x: { label: 'x', values: [0] },
    y: { label: 'y' },
    lines: [{ label: hostile, colour: 9, values: [1] }],
    marks: [{ from: 0, to: 1, label: hostile, colour: 8 }],
  });
  const [chart] = chartsOf(text);
  assert.deepEqual([chart!.title, chart!.lines[0]!.label, chart!.lines[0]!.colour], [hostile, hostile, 1]);
  assert.equal(text.match(/<script/g)!.length, 1);
  assert.equal(text.match(/<\/script/g)!.length, 1);
});

test('the line of some trials is their median, with their range as a band', () => {
  assert.deepEqual(
    trialLine({ label: 'A' }, 0, [
      [1, 5],
      [2, null],
      [6, 7],
    ]),
    { label: 'A', colour: 0, stepped: false, values: [2, 6], band: { low: [1, 5], high: [6, 7] } },
  );
  assert.match(lineCaption(3), /median over trials; bands: their range/);
});

test('one trial has no band', () => {
  assert.deepEqual(trialLine({ label: 'A' }, 0, [[1 / 3, null]], true), {
    label: 'A',
    colour: 0,
    stepped: true,
    values: [0.333333, null],
  });
  assert.match(lineCaption(1), /the one trial/);
});
