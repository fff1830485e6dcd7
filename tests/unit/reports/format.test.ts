import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  formatChange,
  formatChangeWithInterval,
  formatInterval,
  formatMedian,
  formatNumber,
  formatValue,
  intervalName,
  quantityOf,
  scaleToShown,
  shownUnit,
} from '../../../reports/format.ts';
import { valueCell } from '../../../reports/value-cell.ts';

test('each unit is shown as a reader wants it', () => {
  assert.equal(formatValue(1_044_000, 'bit/s'), '1.04 Mbit/s');
  assert.equal(formatValue(78.44, 'ms'), '78.4 ms');
  assert.equal(formatValue(2.589, 's'), '2.59 s');
  assert.equal(formatValue(59.94, '1/s'), '59.9 fps');
  assert.equal(formatValue(0.0204, 'ratio'), '2.0 %');
  assert.equal(formatValue(0.336, 'cores'), '34 % of a core');
  assert.equal(formatValue(0.5312, ''), '0.53');
  assert.equal(formatValue(3, ''), '3');
  assert.equal(formatValue(null, 'ms'), '\u2013');
  assert.deepEqual([shownUnit('bit/s'), scaleToShown(37e6, 'bit/s')], ['Mbit/s', 37]);
});

test('small numbers keep their digits, large ones lose theirs, negative ones have a minus sign', () => {
  assert.equal(formatNumber(0.0361, 'ms'), '0.036');
  assert.equal(formatNumber(0, 'ms'), '0.0');
  assert.equal(formatNumber(12_345.6, 'ms'), '12346');
  assert.equal(formatNumber(-0.5, 's'), '\u22120.50');
  assert.equal(formatNumber(-3, ''), '\u22123');
});

test('a number has no more digits than its metric resolves', () => {
  const change = (value: number, unit: string) => formatChange({ value, low: null, high: null }, unit);
  // 153 bit/s are one packet a minute
  assert.equal(change(153, 'bit/s'), '0.00 Mbit/s');
  assert.equal(change(1530, 'bit/s'), '+0.002 Mbit/s');
  assert.equal(formatChange({ value: 153, low: 90, high: 210 }, 'bit/s'), '0.00 Mbit/s');
  assert.equal(formatInterval({ value: 153, low: 90, high: 210 }, 'bit/s'), '[0.00, 0.00]');
  assert.equal(change(0.00021, 'ms'), '0.0 ms');
  assert.equal(change(0.00153, 's'), '+0.002 s');
  assert.equal(change(1e-7, 'ratio'), '0.0 %');
  assert.equal(change(0.000034, 'ratio'), '+0.0034 %');
});

test('what rounds to zero has no sign', () => {
  assert.equal(formatNumber(-1e-9, 's'), '0.00');
  assert.equal(formatNumber(-0.0, 's'), '0.00');
  const cell = (value: number) =>
    valueCell({ value, low: null, high: null, n: 1, confidence: null }, '', { signed: true }).text.replaceAll(
      /<[^>]*>/g,
      '',
    );
  assert.deepEqual([1e-9, -1e-9, 0.2, -0.2].map(cell), ['0.00', '0.00', '+0.20', '\u22120.20']);
});

test('intervals', () => {
  assert.equal(formatInterval({ value: 2, low: 1.5, high: 2.5 }, 's'), '[1.50, 2.50]');
  assert.equal(formatInterval({ value: 2, low: null, high: null }, 's'), '');
});

test('two values are printed as two values, not as an interval', () => {
  const two = { value: 57.85, low: 57.6, high: 58.1, n: 2 };
  assert.equal(formatMedian(two, '1/s'), '57.6 and 58.1 fps');
  assert.equal(formatInterval(two, '1/s'), '');
  assert.equal(formatChange({ value: 0.05, low: -0.1, high: 0.2, n: 2 }, 'ms'), '\u22120.1 and +0.2 ms');
  assert.equal(formatChangeWithInterval({ value: 2, low: 1, high: 3, n: 2 }, 's'), '+1.00 and +3.00 s');
  assert.equal(formatChangeWithInterval({ value: 2, low: 1, high: 3, n: 6 }, 's'), '+2.00 s [1.00, 3.00]');
  assert.equal(intervalName(2, 0.5), 'two trials: both values');
  const cell = valueCell({ ...two, confidence: 0.5 }, '1/s').text;
  assert.match(cell, /57\.6 and 58\.1 fps/);
  assert.doesNotMatch(cell, /\[/);
});

test('a median and its interval have as many digits behind the point', () => {
  const words = (value: number, low: number, high: number, unit: string) =>
    `${formatMedian({ value, low, high }, unit)} ${formatInterval({ value, low, high }, unit)}`;
  assert.equal(words(0.002, 0.000789, 0.003, 'ratio'), '0.2 % [0.1, 0.3]');
  assert.equal(words(-351, -4060, 1830, 'bit/s'), '0.000 Mbit/s [\u22120.004, 0.002]');
  assert.equal(words(-0.025, -0.05, 0, '1/s'), '\u22120.025 fps [\u22120.050, 0.000]');
  assert.equal(words(2, 1, 5, ''), '2 [1, 5]');
  assert.equal(words(1.5, 1, 5, ''), '1.50 [1.00, 5.00]');
});

test('a cell with another n than its table has the coverage of its own brackets', () => {
  const five = { value: 3, low: 1, high: 5, n: 5, confidence: 1 - 2 / 32 };
  assert.match(valueCell(five, 'ms', { trials: 8 }).text, /<small>n = 5, brackets 93\.7 %<\/small>/);
  assert.doesNotMatch(valueCell(five, 'ms', { trials: 5 }).text, /n =/);
  assert.match(
    valueCell({ ...five, low: null, high: null, n: 1, confidence: null }, 'ms', { trials: 8 }).text,
    /<small>n = 1<\/small>/,
  );
});

test('what the brackets are is said, never more than is true', () => {
  assert.equal(intervalName(1, null), 'one trial: no interval');
  assert.equal(intervalName(0, null), 'no valid trial');
  assert.match(intervalName(5, 1 - 2 / 32), /^brackets: range of the trials, which covers the median with 93\.7 %/);
  assert.equal(intervalName(6, 1 - 2 / 64), 'brackets: 96.8 % interval of the median');
});

test('a metric that there is not is a fault of ours', () => {
  const quantities = [{ id: 'a', title: 'A', unit: 's', better: null }];
  assert.equal(quantityOf(quantities, 'a').title, 'A');
  assert.throws(() => quantityOf(quantities, 'b'), /there is no metric "b"/);
});
