/** What `--dry-run` says of the files that services use: clips. Throws where one cannot be used. */
import { boundOf } from '../../core/plugins.ts';
import type { Chosen } from '../definition/applications.ts';
import type { RunnerRegistries } from '../trial/registries.ts';

/** Lines that several services have to say stand once. */
export async function fileLines(
  chosen: readonly Chosen[],
  { services }: Pick<RunnerRegistries, 'services'>,
): Promise<string> {
  const blocks: string[] = [];
  for (const one of chosen) {
    const lines = await boundOf(services, one, 'service').inspect();
    blocks.push(lines.map(line => `${line}\n`).join(''));
  }
  return [...new Set(blocks)].join('');
}
