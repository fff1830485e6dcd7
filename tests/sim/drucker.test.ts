/**
 * The findings of Drucker et al. and what every controller has to do on their links, over two minutes: it repeats itself
 * within seconds. tests/long/drucker.test.ts takes the paper's five.
 */
import { testDrucker } from './drucker-findings.ts';

testDrucker(120e3);
