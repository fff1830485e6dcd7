/** Two bottlenecks in a row, formed for real by two backends. */
import { keepsItsRow } from '../e2e/support/row-tests.ts';

for (const [first, second] of [
  ['tc', 'emulator'],
  ['emulator', 'tc'],
] as const)
  keepsItsRow(first, second);
