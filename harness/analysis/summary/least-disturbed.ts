/**
 * Which try is shown of a condition without a valid trial. It was measured to its end and only the machine made it
 * void: one in which a part failed, or whose link was not what was asked for, shows something else than the study. Of these
 * the one with the fewest disturbances over the limit counts as the least disturbed, then the one with the fewest below
 * it, then the first.
 */
import { onlyHostDisturbed } from '../../../core/vocabulary/void-reasons.ts';
import type { Verdict } from '../../record/trial-file.ts';

type Try = { verdict: Verdict; isMeasured: boolean };

const ofHost = ({ findings }: Verdict, status: 'invalid' | 'degraded') =>
  findings.filter(finding => finding.kind === 'host' && finding.status === status).length;

/** Undefined where none can be shown, or where one is valid. `tries`: all of a condition, in their order. */
export function leastDisturbed<T extends Try>(tries: readonly T[]): T | undefined {
  if (tries.some(({ verdict, isMeasured }) => isMeasured && verdict.status !== 'invalid')) return undefined;
  return tries
    .filter(({ verdict, isMeasured }) => isMeasured && onlyHostDisturbed(verdict))
    .toSorted(
      ({ verdict: a }, { verdict: b }) =>
        ofHost(a, 'invalid') - ofHost(b, 'invalid') || ofHost(a, 'degraded') - ofHost(b, 'degraded'),
    )[0];
}
