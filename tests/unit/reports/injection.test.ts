/**
 * A run of each kind with known truth, through summary and verdict: the statements of the report must be true.
 * tests/long has hundreds of runs.
 */
import { testInjections } from './support/injection-tests.ts';

testInjections(1);
