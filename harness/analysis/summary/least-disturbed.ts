/**
 * Selects the try that is shown for a condition without a valid trial. It must be complete and void only because of the
 * machine: a try with a failed part, or with a link other than requested, does not show the study. The try with the
 * fewest disturbances over the limit is the least disturbed, then the one with the fewest below it, then the first.
 */
import { onlyHostDisturbed } from '../../../core/vocabulary/void-reasons.ts';
import type { Verdict } from '../../record/trial-file.ts';

type Try = { verdict: Verdict; isMeasured: boolean };

const ofHost = ({ findings }: Verdict, status: 'invalid' | 'degraded') =>
  findings.filter(finding => finding.kind === 'host' && finding.status === status).length;

/** Undefined if no try can be shown, or if one is valid. `tries`: all tries of a condition, in order. */
export function leastDisturbed<T extends Try>(tries: readonly T[]): T | undefined {
  if (tries.some(({ verdict, isMeasured }) => isMeasured && verdict.status !== 'invalid')) return undefined;
  return tries
    .filter(({ verdict, isMeasured }) => isMeasured && onlyHostDisturbed(verdict))
    .toSorted(
      ({ verdict: a }, { verdict: b }) =>
        ofHost(a, 'invalid') - ofHost(b, 'invalid') || ofHost(a, 'degraded') - ofHost(b, 'degraded'),
    )[0];
}
