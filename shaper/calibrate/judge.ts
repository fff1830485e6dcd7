/**
 * Verdict on a link from its readings, by pure functions.
 *
 * A reading that fails while the machine was disturbed does not count against the link. The step is repeated, and if
 * the reading fails again, the machine and not the shaper is reported as the cause.
 */
import { formatReading, formatTold } from './format.ts';
import type { SendReport, WakeUpReport } from './probe.ts';
import type { Reading, StepName } from './readings.ts';

/**
 * Longest delay of a wake-up that does not disturb a step, ms. Delays are accurate to a millisecond and gaps to a part
 * of a millisecond; rates tolerate more. Where the rate of a trace falls, a delay grows by the ratio of the rates.
 */
const lateWakeUpMs: Readonly<Record<StepName, number>> = {
  delay: 1,
  serialisation: 1,
  trains: 5,
  overload: 5,
  discipline: 5,
  loss: 5,
  trace: 1,
};

/** Returns the cause outside the link that may have spoilt a step; null if the machine was quiet. */
export function disturbance(
  step: StepName,
  wakeUps: Pick<WakeUpReport, 'maxUs'>,
  senders: readonly Pick<SendReport, 'starved' | 'lateMaxMs' | 'errors'>[],
): string | null {
  const starved = senders.find(sender => sender.starved);
  if (wakeUps.maxUs / 1e3 > lateWakeUpMs[step])
    return `the machine was held up for ${(wakeUps.maxUs / 1e3).toFixed(1)} ms`;
  if (starved === undefined) return null;
  return starved.errors > 0
    ? `the sender's host refused ${starved.errors} packets`
    : `the sender was ${starved.lateMaxMs.toFixed(1)} ms late`;
}

/**
 * Returns the readings with failed ones marked for repetition, if `cause` is the disturbance of their step; null: no
 * disturbance.
 */
export function inLightOf(cause: string | null, readings: readonly Reading[]): Reading[] {
  return readings.map(one =>
    cause === null || one.certain || (one.verdict !== 'refused' && one.verdict !== 'degraded')
      ? one
      : { ...one, verdict: 'repeat', note: one.note === null ? cause : `${cause}; ${one.note}` },
  );
}

/** Objection to a trial on this link, in the form of a trial's findings. */
type LinkFinding = {
  kind: 'link' | 'host';
  status: 'note' | 'degraded' | 'invalid';
  message: string;
  /** Remedy; missing if another attempt may succeed. */
  advice?: string;
};

/**
 * Returns the advice for a refused reading. The reading failed in every attempt although nothing disturbed the machine,
 * so the link itself is wrong.
 */
function adviceFor({ step, id }: Reading): string {
  const isOfDiscipline = step === 'discipline' || ['first-drop', 'drop-share', 'managed-delay'].includes(id);
  const other = isOfDiscipline || step === 'trains' ? 'another link.queue.aqm or link.backend' : 'another link.backend';
  return `${other} may help; run.preflight=false leaves this test out`;
}

export type PreflightVerdict = {
  /**
   * `disturbed`: the machine prevented the measurement of the link. A trial would be void now, but a later one may be
   * valid.
   */
  status: 'passed' | 'degraded' | 'disturbed' | 'refused';
  findings: LinkFinding[];
};

export function judge(readings: readonly Reading[]): PreflightVerdict {
  const findings = readings.flatMap((one): LinkFinding[] => {
    const message = formatReading(one);
    if (one.verdict === 'refused')
      return [
        {
          kind: 'link',
          status: 'invalid',
          message: `the link is not what was asked for: ${message}`,
          advice: adviceFor(one),
        },
      ];
    if (one.verdict === 'repeat')
      return [{ kind: 'host', status: 'invalid', message: `the link could not be measured: ${message}` }];
    if (one.verdict === 'degraded')
      return [
        {
          kind: 'link',
          status: 'degraded',
          message: `the link ${one.measured === null ? 'could not be proved' : 'is a little beside what was asked for'}: ${message}`,
        },
      ];
    return [];
  });
  const measured = formatTold(readings);
  if (measured !== null)
    findings.push({
      kind: 'link',
      status: 'note',
      message: `the link was there already, and was measured before the trial: ${measured}`,
    });
  const late = readings.filter(({ verdict }) => verdict === 'late');
  if (late.length > 0)
    findings.push({
      kind: 'link',
      status: 'note',
      message:
        `packets were late in ${late.length} of ${readings.length} tests of the link, and none came early: ` +
        `${late.map(({ title }) => title).join(', ')}`,
    });
  const has = (verdict: Reading['verdict']) => readings.some(one => one.verdict === verdict);
  return {
    status: has('refused') ? 'refused' : has('repeat') ? 'disturbed' : has('degraded') ? 'degraded' : 'passed',
    findings,
  };
}
