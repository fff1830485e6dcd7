import assert from 'node:assert/strict';
import { test } from 'node:test';
import { numberIn } from '../../../../harness/site/number-in.ts';

test('a cell has a value with its unit and bracket, or is text', () => {
  const cases: [string, ReturnType<typeof numberIn>][] = [
    ['7.38 Mbit/s<br>\\[7.29, 7.39\\]', { value: 7.38, unit: 'Mbit/s', low: 7.29, high: 7.39 }],
    [
      '**−0.014 Mbit/s**<br>\\[−0.093, −0.002\\]<br>worse',
      { value: -0.014, unit: 'Mbit/s', low: -0.093, high: -0.002 },
    ],
    ['+10.3 ms<br>\\[1.8, 19.3\\]', { value: 10.3, unit: 'ms', low: 1.8, high: 19.3 }],
    ['3<br>0.73 s in 1 of 6', { value: 3, unit: '', low: null, high: null }],
    ['99.8 %<br>n = 3', { value: 99.8, unit: '%', low: null, high: null }],
    ['57.6 and 58.2 fps', { value: 57.900000000000006, unit: 'fps', low: 57.6, high: 58.2 }],
    ['−1.0 and +2.0 ms<br>too few pairs', { value: 0.5, unit: 'ms', low: -1, high: 2 }],
    ['about 78.4 ms', { value: null, unit: '', low: null, high: null }],
    ['41.9 to 57.2 ms', { value: null, unit: '', low: null, high: null }],
    ['–', { value: null, unit: '', low: null, high: null }],
  ];
  for (const [cell, expected] of cases) assert.deepEqual(numberIn(cell), expected, cell);
});
