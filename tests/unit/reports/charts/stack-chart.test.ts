import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stackChart } from '../../../../reports/charts/stack-chart.ts';

const parts = ['one', 'two', 'nothing', 'four'].map((name, colour) => ({ name, colour: colour === 3 ? 9 : colour }));
const chart = (bars: { label: string; values: number[] }[]) =>
  stackChart({ title: 'Time', unit: 'ms', parts, bars }).text;

test('each part is a piece with its number, those of nothing are left out', () => {
  const text = chart([
    { label: 'Alone', values: [5, 10, 0, 1] },
    { label: 'Beside', values: [6, 0, 0, 20.126] },
  ]);
  for (const piece of ['Alone, one: 5 ms', 'Alone, two: 10 ms', 'Beside, four: 20.1 ms'])
    assert.ok(text.includes(piece), piece);
  assert.doesNotMatch(text, /nothing|NaN|undefined/);
  assert.match(text, /role="img" aria-label="Time: Alone, one: 5 ms; /);
  assert.match(text, /^<p class="lines"><span><i class="swatch" style="background: var\(--c0\)[^"]*"><\/i>one<\/span>/);
  assert.match(chart([{ label: 'a < b', values: [1, 0, 0, 0] }]), /aria-label="Time: a &lt; b, one: 1 ms"/);
});

test('a colour beyond the palette is one of it, lighter', () => {
  const text = chart([{ label: 'Alone', values: [1, 1, 1, 1] }]);
  assert.match(text, /background: var\(--c1\); opacity: 0\.6/);
  assert.doesNotMatch(text, /--c9/);
});

test('bars of nothing are drawn, too', () =>
  assert.doesNotMatch(chart([{ label: 'Alone', values: [0, 0, 0, 0] }]), /NaN/));
