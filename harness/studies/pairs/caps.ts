/**
 * Cap of a service, for its fair share: measured on a link that does not limit it, or else as the service states it, or
 * else its throughput alone on the same link. A service that fills 95 % of a link alone has no cap there.
 */
import type { Contestant } from './contestant.ts';
import { openFactor, type PairLink } from './links.ts';
import type { Estimate } from './summary.ts';

const fillsFrom = 0.95;

export type Solo = { link: PairLink; throughput: Estimate };

/**
 * Returns the throughput of a service alone on the widest link that is far wider than its cap. Null if there is no such
 * link.
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

/** Returns the cap for the fair shares of one link, bit/s. Null: no cap. */
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
