/** Hundreds of faults of each kind put into simulated calls: at most 2 % of the interruptions have a false cause. */
import { testCauses } from '../sim/listening/judged.ts';

testCauses({ records: 10, faults: 10, least: 40 });
