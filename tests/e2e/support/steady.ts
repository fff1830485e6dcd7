/**
 * Judgements that depend on time, on a machine that may be held up: a full queue and a rate need a sender and a shaper
 * that run when they are due.
 */
import { AssertionError } from 'node:assert';
import { readFileSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { nowMs } from '../../../core/system/clock.ts';
import type { Host } from '../../../core/system/host.ts';
import { parseProcStat } from '../../../core/system/proc-stat.ts';
import { disturbance } from '../../../shaper/calibrate/judge.ts';
import { ProbeWakeUps } from '../../../shaper/calibrate/probe.ts';

/** A machine that other work disturbs gets that many tries. */
const tries = 4;
/** Cores that the hypervisor took on average, above which the machine was disturbed. */
const stolenCores = 0.05;

const stolenS = () => parseProcStat(readFileSync('/proc/stat', 'utf8')).stealS;

/**
 * Measures and judges. A judgement that fails on a machine that was disturbed meanwhile says nothing, so it is measured
 * again, and where each try was disturbed the test is skipped and says by what. Whatever `measure` itself asserts, and
 * what fails on a quiet machine, fails.
 */
export async function judgeSteadily<T>(
  context: TestContext,
  host: Host,
  measure: () => Promise<T>,
  judge: (measured: T) => void,
): Promise<void> {
  for (let left = tries; ; left--) {
    const wakeUps = await ProbeWakeUps.start(host);
    const [fromMs, fromStolenS] = [nowMs(), stolenS()];
    try {
      const measured = await measure();
      const stolen = (stolenS() - fromStolenS) / ((nowMs() - fromMs) / 1000);
      const cause =
        disturbance('overload', await wakeUps.finish(), []) ??
        (stolen > stolenCores ? `the hypervisor took ${(stolen * 100).toFixed(0)} % of a core` : null);
      try {
        return judge(measured);
      } catch (error) {
        if (!(error instanceof AssertionError) || cause === null) throw error;
        if (left === 1)
          return context.skip(`the machine disturbed each of ${tries} tries: ${cause}, and ${error.message}`);
      }
    } finally {
      await wakeUps.stop();
    }
  }
}
