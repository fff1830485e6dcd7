/** What `--dry-run` says of this machine's kernel. It is no error: another machine may run the study. */
import type { Host } from '../../core/host.ts';
import { boundOf } from '../../core/plugins.ts';
import type { Chosen } from '../experiment/applications.ts';
import type { RunnerRegistries } from '../runner/registries.ts';
import { noteOnMissing } from '../services/shared/congestion-control.ts';

/** A line for each congestion control that services ask for and the kernel does not have. */
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
