/**
 * Two bottlenecks in a row, formed for real: what leaves the first comes to the second. With tc before or behind the
 * emulator: tests/long, and the packets that are counted at each: tests/process/partial-rows.test.ts.
 */
import { keepsItsRow } from './support/row-tests.ts';

keepsItsRow('emulator', 'emulator');
