/**
 * Faults put into simulated calls, at random places and of random lengths: the interruptions of the voice are put down to
 * them. tests/long has more of them.
 */
import { testCauses } from './listening/judged.ts';

testCauses({ records: 1, faults: 5, least: 2 });
