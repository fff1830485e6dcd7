/**
 * Lines that `--dry-run` prints on this machine's kernel. They are not errors, because another machine may run the
 * study.
 */

import { boundOf } from '../../core/plugins.ts';
import type { Host } from '../../core/system/host.ts';
import type { Chosen } from '../definition/applications.ts';
import { noteOnMissing } from '../services/shared/congestion-control.ts';
import type { RunnerRegistries } from '../trial/registries.ts';

/** Returns a line for each congestion control that services use and that this machine's kernel does not have. */
export async function kernelNotes(
  chosen: readonly Chosen[],
  { services }: Pick<RunnerRegistries, 'services'>,
  host?: Host,
): Promise<string> {
  const asked = chosen.map(one => boundOf(services, one, 'service').kernelControl);
  const names = [...new Set(asked)].filter(name => name !== null);
  const notes = await Promise.all(names.map(name => noteOnMissing(name, host)));
  return notes.flatMap(note => (note === undefined ? [] : [`${note}\n`])).join('');
}
