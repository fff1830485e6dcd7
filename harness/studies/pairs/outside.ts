/** Contestants that go to the Internet: whether this machine can let them. */
import { CoexistError } from '../../../core/errors.ts';
import { boundOf, pick } from '../../../core/plugins.ts';
import type { BackendId, Link } from '../../../core/vocabulary/link.ts';
import { tryInternet } from '../../../shaper/topology/internet.ts';
import type { RunnerRegistries } from '../../trial/registries.ts';
import type { Contestant } from './contestant.ts';
import type { PairsRun } from './define.ts';

type Services = Pick<RunnerRegistries, 'services'>;

/**
 * What forms the links of a study. What comes from the Internet passes a queue of the kernel, but not the emulator,
 * which takes in packets of the dumbbell's own hosts only; every pair of the study then has the same kind of link.
 */
export function backendFor(
  contestants: readonly Contestant[],
  registries: Services,
  { backend }: Pick<PairsRun, 'backend'>,
): Link['backend'] {
  if (backend !== 'auto') return backend;
  return contestants.some(contestant => isOutside(contestant, registries)) ? 'tc' : 'auto';
}

/** Whether its client has access to the Internet. */
export function isOutside({ service }: Contestant, { services }: Services): boolean {
  return pick(services, service.id, 'service').isOutside;
}

/**
 * `backends`: what forms the links. Throws `no-internet` where such a contestant cannot have what it needs; others need
 * nothing.
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
