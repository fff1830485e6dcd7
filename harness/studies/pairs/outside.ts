/** Finds contestants that use the Internet, and checks that this machine gives them access. */
import { CoexistError } from '../../../core/errors.ts';
import { boundOf, pick } from '../../../core/plugins.ts';
import type { BackendId, Link } from '../../../core/vocabulary/link.ts';
import { tryInternet } from '../../../shaper/topology/internet.ts';
import type { RunnerRegistries } from '../../trial/registries.ts';
import type { Contestant } from './contestant.ts';
import type { PairsRun } from './define.ts';

type Services = Pick<RunnerRegistries, 'services'>;

/**
 * Returns the backend for all links of a study. If a contestant uses the Internet, the kernel must form the links,
 * because the emulator accepts only packets of the dumbbell's hosts. All pairs of a study have the same backend.
 */
export function backendFor(
  contestants: readonly Contestant[],
  registries: Services,
  { backend }: Pick<PairsRun, 'backend'>,
): Link['backend'] {
  if (backend !== 'auto') return backend;
  return contestants.some(contestant => isOutside(contestant, registries)) ? 'tc' : 'auto';
}

/** True if the client of the service has access to the Internet. */
export function isOutside({ service }: Contestant, { services }: Services): boolean {
  return pick(services, service.id, 'service').isOutside;
}

/**
 * Checks that this machine can reach the Internet pages that a contestant uses. A contestant without such pages needs
 * no check. `backends`: programs that form the links. Throws `no-internet` if a page cannot be reached, or if a link is
 * emulated.
 */
export async function checkOutside(
  { service }: Contestant,
  { services }: RunnerRegistries,
  backends: readonly BackendId[],
  { privateNetworks }: Pick<PairsRun, 'privateNetworks'>,
): Promise<void> {
  const target = boundOf(services, service, 'service').outside;
  if (target === null) return;
  if (backends.includes('emulator'))
    throw new CoexistError('no-internet', 'what comes from the Internet does not pass an emulated link', {
      hint: 'begin the study anew: its links are then formed by tc',
    });
  await tryInternet(target, { privateToo: privateNetworks });
}
