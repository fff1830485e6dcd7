/**
 * What a service can take at most, for its fair share: measured where nothing holds it, else on the link itself, else
 * what it says of itself. A service that fills 95 % of a link alone has no cap there.
 */
import type { Contestant } from './contestant.ts';
import { openFactor, type PairLink } from './links.ts';
import type { Estimate } from './summary.ts';

const fillsFrom = 0.95;

export type Solo = { link: PairLink; throughput: Estimate };

/** Its throughput alone on the widest link that is far wider than its own cap; null where there was none such. */
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

/** The cap that goes into the fair shares of one link, bit/s; null: none. */
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
