import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dotChart } from '../../../../reports/charts/dot-chart.ts';
import { heatMap } from '../../../../reports/charts/heat-map.ts';
import { stackChart } from '../../../../reports/charts/stack-chart.ts';
import { parsePage } from '../support/run.ts';

/** Average width of a letter of DejaVu Sans at 12 px, the widest of the fonts that readers are likely to have. */
const letterPx = 7;

const charts: Record<string, (label: string) => string> = {
  'a dot chart': label =>
    dotChart({
      title: 'Harm',
      unit: 's',
      groups: [{ label, colour: 0, values: [1], median: 1, low: 1, high: 1 }],
    }).text,
  'a stack chart': label =>
    stackChart({
      title: 'Time',
      unit: 'ms',
      parts: [{ name: 'one', colour: 0 }],
      bars: [{ label, values: [1] }],
    }).text,
  'a heat map': label =>
    heatMap({
      title: 'Stalls',
      x: { label: 'flows', values: ['1'] },
      y: { label: 'control', values: [label] },
      cells: [{ x: '1', y: label, value: 1, text: '1', detail: 'd' }],
    }).text,
};

/** Label of the only row: its lines, the x position of their ends, and its tooltip. */
function rowOf(text: string): { lines: string[]; endPx: number; told: string | undefined } {
  const document = parsePage(text);
  const group = document.querySelector('g[aria-label="y-axis tick label"]')!;
  const label = group.querySelector('text')!;
  const told = label.querySelector('title')?.textContent;
  const words = [...label.childNodes].filter(({ nodeName }) => nodeName.toLowerCase() !== 'title');
  const spans = [...label.querySelectorAll('tspan')].map(span => span.textContent);
  const shifts = [group, label].map(element =>
    Number(/translate\((-?[\d.]+)/.exec(element.getAttribute('transform') ?? '')?.[1] ?? 0),
  );
  return {
    lines: spans.length > 0 ? spans : [words.map(({ textContent }) => textContent).join('')],
    endPx: shifts.reduce((sum, shift) => sum + shift, 0),
    told,
  };
}

for (const [name, draw] of Object.entries(charts)) {
  for (const label of ['Alone', 'One CUBIC flow', 'Two BBRv1 flows, 1 % loss', 'x'.repeat(80), 'word '.repeat(40)])
    test(`${name} has room for "${label.slice(0, 30)}"`, () => {
      const { lines, endPx, told } = rowOf(draw(label));
      for (const line of lines) assert.ok(line.length * letterPx <= endPx, `${line} within ${endPx} px`);
      assert.equal(told, label);
    });

  test(`${name} tells words of middling length in full`, () => {
    const { lines } = rowOf(draw('Two BBRv1 flows, 1 % loss'));
    assert.equal(lines.join(' '), 'Two BBRv1 flows, 1 % loss');
  });

  test(`${name} shortens what takes too much room`, () => {
    const { lines } = rowOf(draw('word '.repeat(40)));
    assert.match(lines.at(-1)!, /…$/);
    assert.ok(lines.length <= 3);
  });
}
