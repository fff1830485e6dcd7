/**
 * A few runs of known truth, through summary and verdict: what the report says of them is true. tests/long has
 * hundreds.
 */
import { testInjections } from './support/injection-tests.ts';

testInjections(2);
