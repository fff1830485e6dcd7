/** As tests/sim/drucker.test.ts, with flows of the paper's length. */
import { testDrucker } from '../sim/drucker-findings.ts';
import { clipMs } from '../sim/drucker-grid.ts';

testDrucker(clipMs);
