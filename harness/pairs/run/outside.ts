/** Contestants that go to the Internet: whether this machine can let them. */
import { CoexistError } from '../../base/errors.ts';
import type { BackendId } from '../../base/link.ts';
import { pick } from '../../base/plugins.ts';
import type { RunnerRegistries } from '../../runner/registries.ts';
import { tryInternet } from '../../../shaper/topology/internet.ts';
import type { Contestant, PairsRun } from '../define.ts';

const pluginOf = ({ service: { id } }: Contestant, { services }: RunnerRegistries) => pick(services, id, 'service');

export function isOutside(contestant: Contestant, registries: RunnerRegistries): boolean {
  return pluginOf(contestant, registries).outside !== undefined;
}

/** `backends`: what forms the links. Throws `no-internet` where such a contestant cannot have what it needs; others need nothing. */
export async function checkOutside(contestant: Contestant, registries: RunnerRegistries, backends: readonly BackendId[], { privateNetworks }: Pick<PairsRun, 'privateNetworks'>): Promise<void> {
  const target = pluginOf(contestant, registries).outside?.(contestant.service.params as never);
  if (target === undefined) return;
  if (backends.includes('emulator')) throw new CoexistError('no-internet', 'what comes from the Internet does not pass an emulated link', { hint: 'use a kernel that can form the link (npm run doctor)' });
  await tryInternet(target, { privateToo: privateNetworks });
}
