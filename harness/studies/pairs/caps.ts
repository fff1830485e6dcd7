/**
 * Cap of a service (its largest throughput), which limits its fair share. The cap is measured on a link that is far
 * wider, or else it is stated by the service, or else it is the service's throughput alone on the same link. A service
 * that fills 95 % of a link alone has no cap on this link.
 */

import type { Estimate } from '../../../core/vocabulary/estimate.ts';
import type { Contestant } from './contestant.ts';
import { openFactor, type PairLink } from './links.ts';

const fillsFrom = 0.95;

export type Solo = { link: PairLink; throughput: Estimate };

/**
 * Returns the throughput of a service alone on the widest link whose rate is at least `openFactor` times the cap that
 * the service states. Null if the service states no cap, or if no such link was measured.
 */
export function measuredCap(
  { nominalCapBps }: Pick<Contestant, 'nominalCapBps'>,
  solos: readonly Solo[],
): Estimate | null {
  if (nominalCapBps === null) return null;
  const wide = solos.filter(
    ({ link, throughput }) => link.link.rateBps >= openFactor * nominalCapBps && throughput.value !== null,
  );
  return wide.sort((a, b) => b.link.link.rateBps - a.link.link.rateBps)[0]?.throughput ?? null;
}

/** Returns the cap of a service for the fair shares on one link, bit/s. Null if the service has no cap. */
export function capOn(
  link: PairLink,
  contestant: Pick<Contestant, 'nominalCapBps'>,
  solos: readonly Solo[],
): number | null {
  const measured = measuredCap(contestant, solos)?.value ?? null;
  if (measured !== null) return measured;
  if (contestant.nominalCapBps !== null) return contestant.nominalCapBps;
  const alone = solos.find(solo => solo.link.id === link.id)?.throughput.value ?? null;
  return alone === null || alone >= fillsFrom * link.link.rateBps ? null : alone;
}
