import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { type DotGroup, dotChart } from '../../../../reports/charts/dot-chart.ts';
import { colourOf, paletteSize } from '../../../../reports/charts/palette.ts';
import { parsePage } from '../support/run.ts';

const group = (
  label: string,
  colour: number,
  values: number[],
  low: number | null = null,
  high: number | null = null,
): DotGroup => ({
  label,
  colour,
  values,
  median: values.length === 0 ? null : [...values].sort((a, b) => a - b)[values.length >> 1]!,
  low,
  high,
});
const count = (text: string, part: string | RegExp) => [...text.matchAll(new RegExp(part, 'g'))].length;

test('a dot for each trial, a stroke and a bar for each median', () => {
  const { text } = dotChart({
    title: 'Frame rate',
    unit: '1/s',
    groups: [group('Alone', 0, [59, 60, 60], 59, 60), group('Wired', 1, [50, 55])],
  });
  assert.match(text, /^<svg [^>]*role="img"/);
  assert.equal(count(text, '<circle '), 5);
  assert.equal(count(text, 'median 60\\.0 fps, interval 59\\.0 to 60\\.0'), 2); // in the labels of chart and stroke
  assert.ok(
    text.includes('aria-label="Frame rate: Alone: median 60.0 fps, interval 59.0 to 60.0; Wired: median 55.0 fps"'),
  );
  assert.ok(text.includes('var(--c0)') && text.includes('var(--c1)'));
  for (const word of ['Alone', 'Wired', 'Frame rate (fps)']) assert.ok(text.includes(`>${word}<`), word);
});

test('a try that does not count is a red cross without a median, and said to be one', () => {
  const disturbed = { ...group('Wired (disturbed)', 1, [50]), median: null, isDisturbed: true };
  const { text } = dotChart({ title: 'Frame rate', unit: '1/s', groups: [group('Alone', 0, [60]), disturbed] });
  assert.equal(count(text, '<circle '), 1);
  assert.equal(count(text, '<path [^>]*stroke="var\\(--bad\\)"'), 1);
  assert.ok(text.includes('Alone: median 60.0 fps; Wired (disturbed): 50.0 fps'));
});

test('values that are all 0, and no values at all, draw too', () => {
  assert.equal(
    count(dotChart({ title: 'Stalls', unit: '', groups: [group('Alone', 0, [0, 0], 0, 0)] }).text, '<circle '),
    2,
  );
  assert.equal(count(dotChart({ title: 'Stalls', unit: '', groups: [group('Alone', 0, [])] }).text, '<circle '), 0);
  assert.ok(
    !/NaN|undefined/.test(dotChart({ title: 'Stalls', unit: '', groups: [group('Alone', 0, [0], 0, 0)] }).text),
  );
});

test('what is said of a chart has the digits of tables, and no unit where there is none', () => {
  const said = (unit: string, value: number, low: number, high: number) =>
    /aria-label="([^"]*)"/.exec(
      dotChart({ title: 'T', unit, groups: [{ ...group('A', 0, [value], low, high), median: value }] }).text,
    )![1];
  assert.equal(said('', 0.7281, 0.7277, 0.7283), 'T: A: median 0.73, interval 0.73 to 0.73');
  assert.equal(said('bit/s', 7.383e6, 7.101e6, 7.392e6), 'T: A: median 7.38 Mbit/s, interval 7.10 to 7.39');
});

test('a reference is a broken line', () => {
  const chart = { title: 'Harm', unit: '', groups: [group('Wired', 1, [2, 3])] };
  assert.ok(dotChart({ ...chart, reference: 1 }).text.includes('stroke-dasharray="4 3"'));
  assert.ok(!dotChart(chart).text.includes('stroke-dasharray'));
});

test('words in it stay words', () => {
  const { text } = dotChart({
    title: '"><img src=x>',
    unit: '<u>',
    groups: [group('<script>alert(1)</script>', 0, [1], 0, 2)],
  });
  const document = parsePage(text);
  assert.equal(document.querySelectorAll('img, u, script').length, 0);
  assert.equal(document.querySelectorAll('svg').length, 1);
  assert.ok(
    document
      .querySelector('svg')!
      .getAttribute('aria-label')!
      .startsWith('"><img src=x>: <script>alert(1)</script>: median 1.00 <u>'),
  );
});

test('more conditions than colours begin the palette again', () => {
  assert.deepEqual([0, 7, 8, 17].map(colourOf), ['var(--c0)', 'var(--c7)', 'var(--c0)', 'var(--c1)']);
  const style = readFileSync(new URL('../../../../reports/page/style.css', import.meta.url), 'utf8');
  const themes = [...style.matchAll(/--c(\d+): light-dark\(#[0-9a-f]{6}, #[0-9a-f]{6}\)/g)].map(match =>
    Number(match[1]),
  );
  assert.deepEqual(
    themes,
    Array.from({ length: paletteSize }, (_, i) => i),
  );
});
