/**
 * Selects the try that is shown for a condition without a valid trial. The try must be complete and void only because
 * of the machine. A try with a failed part, or with a link other than the requested one, does not show the study. The
 * least disturbed try has the fewest disturbances over the limit. Of several such tries it is the one with the fewest
 * disturbances below the limit, and then the first one.
 */
import { onlyHostDisturbed } from '../../../core/vocabulary/void-reasons.ts';
import type { Verdict } from '../../record/trial-file.ts';

type Try = { verdict: Verdict; isMeasured: boolean };

const ofHost = ({ findings }: Verdict, status: 'invalid' | 'degraded') =>
  findings.filter(finding => finding.kind === 'host' && finding.status === status).length;

/**
 * Returns the least disturbed try. `tries`: all tries of one condition, in the order in which they ran. Undefined if no
 * try can be shown, or if a try is valid.
 */
export function leastDisturbed<T extends Try>(tries: readonly T[]): T | undefined {
  if (tries.some(({ verdict, isMeasured }) => isMeasured && verdict.status !== 'invalid')) return undefined;
  return tries
    .filter(({ verdict, isMeasured }) => isMeasured && onlyHostDisturbed(verdict))
    .toSorted(
      ({ verdict: a }, { verdict: b }) =>
        ofHost(a, 'invalid') - ofHost(b, 'invalid') || ofHost(a, 'degraded') - ofHost(b, 'degraded'),
    )[0];
}
